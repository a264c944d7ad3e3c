import {
  KeybindingsManager,
  StdinBuffer,
  setKeybindings,
  TUI_KEYBINDINGS,
  TuiAltScreen,
} from "@earendil-works/pi-tui";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal as Emulator } from "@xterm/headless";
import type { SlashCommandInfo } from "../../../../contract/slash-command.ts";
import { FakeTerminal } from "../../test-support/fake-terminal.ts";
import type { Paint, Theme } from "../../theme/theme.ts";
import type { AppAction } from "../actions.ts";
import { createKeymap } from "../keymap.ts";
import { PromptEditor } from "../prompt-editor.ts";
import type { PromptEditorNotice, PromptEditorPorts, PromptSubmission } from "../prompt-editor-ports.ts";
import type { PromptKind } from "../prompt-kind.ts";
import type { VimMode } from "../vim/vim-keys.ts";

const same: Paint = (text) => text;
const every = new Proxy({}, { get: () => same }) as Theme["color"] & Theme["background"];
/** Paints nothing, so that lines can be compared. */
const PLAIN: Theme = {
  name: "plain",
  kind: "dark",
  color: every,
  background: every,
  bold: same,
  italic: same,
  underline: same,
  strikethrough: same,
  inverse: same,
};

export interface BenchOptions extends Partial<PromptEditorPorts> {
  columns?: number;
  rows?: number;
  vim?: boolean;
  keybindings?: Readonly<Record<string, string | readonly string[]>>;
}

/** A prompt editor on a screen of its own, driven by the bytes that a terminal sends. */
export class PromptBench implements Disposable {
  readonly editor: PromptEditor;
  readonly terminal: FakeTerminal;
  readonly tui: TuiAltScreen;
  readonly sent: PromptSubmission[] = [];
  readonly actions: AppAction[] = [];
  readonly notices: PromptEditorNotice[] = [];
  readonly kinds: PromptKind[] = [];
  readonly vimModes: VimMode[] = [];
  readonly #stdin = new StdinBuffer();
  readonly #written: string[] = [];
  #wakers: (() => void)[] = [];

  constructor(options: BenchOptions = {}) {
    const { keymap } = createKeymap(options.keybindings ?? {});
    keymap.apply();
    this.terminal = new FakeTerminal(options.columns ?? 80, options.rows ?? 24);
    const write = this.terminal.write.bind(this.terminal);
    this.terminal.write = (data) => {
      this.#written.push(data);
      write(data);
    };
    this.tui = new TuiAltScreen(this.terminal);
    const request = this.tui.requestRender.bind(this.tui);
    this.tui.requestRender = (force) => {
      request(force);
      for (const wake of this.#wakers.splice(0)) wake();
    };
    const ports: PromptEditorPorts = {
      theme: { current: PLAIN },
      keymap,
      busy: () => false,
      history: () => [],
      commands: () => [],
      completeArgument: async () => [],
      findFiles: async () => [],
      onSubmit: (submission) => this.sent.push(submission),
      onAction: (action) => {
        this.actions.push(action);
        return true;
      },
      notice: (notice) => this.notices.push(notice),
      onKind: (kind) => this.kinds.push(kind),
      onVimMode: (mode) => this.vimModes.push(mode),
      ...options,
    };
    this.editor = new PromptEditor(this.tui, ports, { vim: options.vim ?? false });
    this.tui.setLayoutRoot(this.editor);
    this.tui.setFocus(this.editor);
    this.tui.start();
    this.#stdin.on("data", (sequence) => this.terminal.send(sequence));
    this.#stdin.on("paste", (text) => this.terminal.send(`\x1b[200~${text}\x1b[201~`));
  }

  /** What a terminal sends in one piece; a lone ESC at its end is the key. */
  type(bytes: string): this {
    this.#stdin.process(bytes);
    for (const sequence of this.#stdin.flush()) this.terminal.send(sequence);
    return this;
  }

  paste(text: string): this {
    return this.type(`\x1b[200~${text}\x1b[201~`);
  }

  get text(): string {
    return this.editor.getText();
  }

  get cursor(): string {
    const { line, col } = this.editor.getCursor();
    return `${line}:${col}`;
  }

  lines(width = this.terminal.columns): string[] {
    return this.editor.render(width);
  }

  /** Waits until `done` holds; it is asked whenever the editor wants to be drawn again. */
  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wakers.push(resolve);
      await promise;
    }
  }

  /** Draws, and gives the screen and the place of the terminal's cursor as an independent parser sees them. */
  async screen(): Promise<{ rows: string[]; row: number; column: number }> {
    this.tui.renderNow(true);
    const { columns, rows } = this.terminal;
    const emulator = new Emulator({ cols: columns, rows, allowProposedApi: true });
    emulator.loadAddon(new UnicodeGraphemesAddon());
    emulator.unicode.activeVersion = "15-graphemes";
    await new Promise<void>((resolve) => emulator.write(this.#written.join(""), resolve));
    const buffer = emulator.buffer.active;
    const shown = Array.from({ length: rows }, (_, row) =>
      buffer.getLine(buffer.baseY + row)!.translateToString(true),
    );
    return { rows: shown, row: buffer.cursorY, column: buffer.cursorX };
  }

  [Symbol.dispose](): void {
    this.#stdin.destroy();
    this.tui.stop({ preserveScreen: true });
    setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS));
  }
}

const command = (
  name: string,
  argumentHint = "",
  aliases: readonly string[] = [],
  completes = false,
): SlashCommandInfo => ({
  name,
  aliases,
  summary: `About ${name}`,
  argumentHint,
  group: "program",
  during: "any",
  completes,
});

export const SOME_COMMANDS: readonly SlashCommandInfo[] = [
  command("help"),
  command("clear", "", ["new"]),
  command("model", "[provider/model | role]", [], true),
  command("session"),
  command("branch", "[name]", [], true),
  command("exit", "", ["quit"]),
];
