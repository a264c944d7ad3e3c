import { Input, ScrollView, Text, TuiAltScreen, VStack } from "@earendil-works/pi-tui";
import { DialogHost } from "../dialog/dialog-host.ts";
import { FakeTerminal } from "./fake-terminal.ts";
import { testThemes } from "./plain-theme.ts";

/** A screen as the program has it: a transcript, the place of the editor with the draft "draft", and a status row. */
export function dialogScreen(columns = 60, rows = 16) {
  const terminal = new FakeTerminal(columns, rows);
  const tui = new TuiAltScreen(terminal);
  const editor = new Input();
  editor.setValue("draft");
  let now = 0;
  const opened: (string | null)[] = [];
  const host = new DialogHost({
    themes: testThemes(),
    tui,
    resting: editor,
    now: () => now,
    onOpen: (title) => opened.push(title),
    otherRows: () => 1,
  });
  const transcript = new Text(Array.from({ length: 50 }, (_, row) => `transcript ${row}`).join("\n"), 0, 0);
  tui.setLayoutRoot(
    new VStack([
      {
        component: new ScrollView(transcript, { follow: "end", primary: true }),
        basis: 0,
        grow: 1,
        minSize: 1,
      },
      { component: host, basis: "auto", shrink: 1, minSize: 1 },
      { component: new Text("status", 0, 0), basis: "auto", shrink: 0 },
    ]),
  );
  tui.setFocus(editor);
  tui.start();
  return {
    terminal,
    tui,
    host,
    editor,
    opened,
    after: (ms: number) => {
      now += ms;
    },
    /** The rows of the dock: what is below the transcript. Everything typed before has been drawn. */
    async dock(): Promise<string[]> {
      tui.renderNow();
      return (await terminal.screen())
        .map((row) => row.trimEnd())
        .filter((row) => !row.startsWith("transcript "));
    },
    type: (...keys: string[]) => {
      for (const key of keys) terminal.send(key);
    },
    [Symbol.dispose]() {
      host.dismissAll();
      tui.stop({ preserveScreen: true });
    },
  };
}

export const KEY = {
  enter: "\r",
  escape: "\x1b",
  controlC: "\x03",
  up: "\x1b[A",
  down: "\x1b[B",
  left: "\x1b[D",
  pageUp: "\x1b[5~",
  pageDown: "\x1b[6~",
  home: "\x1b[H",
  end: "\x1b[F",
  backspace: "\x7f",
  paste: (text: string) => `\x1b[200~${text}\x1b[201~`,
  /** A turn of the wheel over the cell at `column` and `row`, both from 0. */
  wheel: (direction: "up" | "down", column: number, row: number) =>
    `\x1b[<${direction === "up" ? 64 : 65};${column + 1};${row + 1}M`,
  press: (column: number, row: number) => `\x1b[<0;${column + 1};${row + 1}M`,
  release: (column: number, row: number) => `\x1b[<0;${column + 1};${row + 1}m`,
};
