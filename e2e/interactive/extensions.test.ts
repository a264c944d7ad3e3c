/** What extensions draw and ask, in a real terminal: beside each other, in any window, while answers stream, and when they misbehave. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  call,
  goldenScreens,
  hold,
  modelServer,
  say,
  type TerminalProgram,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { draftIs, gate, idle, leave, openPi, send, talk } from "./support.ts";

const expectScreen = goldenScreens(import.meta.dir);
const MASK = [/pi \d+\.\d+\.\d+/, /\/tmp\/testkit-\w+\/project/, /today [\d.]+k?/, /<?\$\d+\.\d+/];

/** Writes extensions into the workspace and gives the arguments that load them. */
function extensions(ws: Workspace, sources: Readonly<Record<string, string>>): string[] {
  return Object.entries(sources).flatMap(([name, source]) => {
    const file = join(ws.home, "own-extensions", `${name}.ts`);
    ws.write(file, source);
    return ["-e", file];
  });
}

/** A widget, a word, and commands that show and ask. */
const BOARD = `
import { Container, matchesKey, SelectList, Text } from "@earendil-works/pi-tui";
export default function (pi) {
  pi.on("session_start", (_event, { ui }) => {
    ui.setWidget("plan", (_tui, theme) => new Text(theme.fg("accent", "計画: ") + "two of three done", 1, 0));
    ui.setStatus("plan", "plan 2/3");
  });
  pi.registerCommand("pick", {
    description: "picks a colour",
    handler: async (_argument, { ui }) => {
      const picked = await ui.custom((tui, theme, _keybindings, done) => {
        const box = new Container();
        const look = {
          selectedPrefix: (text) => theme.fg("accent", text),
          selectedText: (text) => theme.fg("accent", text),
          description: (text) => theme.fg("muted", text),
          scrollInfo: (text) => theme.fg("dim", text),
          noMatch: (text) => theme.fg("warning", text),
        };
        const list = new SelectList([{ value: "red", label: "red 赤" }, { value: "blue", label: "blue 青" }], 5, look);
        list.onSelect = (item) => done(item.value);
        list.onCancel = () => done(undefined);
        box.addChild(new Text(theme.bold("A colour of " + tui.terminal.columns), 0, 0));
        box.addChild(list);
        return {
          render: (width) => box.render(width),
          invalidate: () => box.invalidate(),
          handleInput: (data) => list.handleInput(data),
        };
      });
      ui.notify("picked " + picked);
    },
  });
  pi.registerCommand("cover", {
    description: "covers the screen",
    handler: async (_argument, { ui }) => {
      const closed = await ui.custom(
        (_tui, _theme, _keybindings, done) => ({
          render: (width) => Array.from({ length: 12 }, () => "#".repeat(width)),
          invalidate() {},
          handleInput: (data) => { if (matchesKey(data, "q")) done("q"); },
        }),
        { overlay: true, overlayOptions: { width: "80%", anchor: "center" } },
      );
      ui.notify("cover closed by " + closed);
    },
  });
  pi.registerCommand("ask", {
    description: "asks",
    handler: async (_argument, { ui }) => {
      const name = await ui.input("Your name", "as on your passport");
      const sure = await ui.confirm("Sure?", "It is " + name + ".");
      ui.notify(name + " " + sure);
    },
  });
}
`;
const NOTES = `
export default function (pi) {
  pi.on("session_start", (_event, { ui }) => ui.setWidget("notes", ["a note by another"], { placement: "belowEditor" }));
}
`;

/** Repeats a key until it has an effect: a question that comes unasked drops keys at first. */
async function pressUntil(program: TerminalProgram, key: string, shown: () => boolean): Promise<void> {
  const again = setInterval(() => program.press(key), 50);
  try {
    await program.waitFor(shown);
  } finally {
    clearInterval(again);
  }
}

test("two extensions draw beside the editor, in windows of any width [T01, T04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const args = ["--memory-off", ...extensions(ws, { board: BOARD, notes: NOTES })];
  await using program = await openPi(ws, server, { args });
  await program.waitFor("a note by another");
  await program.waitFor("plan 2/3");
  await expectScreen(program).toMatchGolden("extension-widgets", { mask: MASK });
  for (const [cols, rows] of [
    [40, 20],
    [21, 12],
    [133, 45],
    [80, 24],
  ] as const) {
    program.resize(cols, rows);
    await program.waitFor((shown) => {
      const lines = shown.screen();
      return lines.length === rows && lines.filter((line) => line === "─".repeat(cols)).length === 2;
    });
    const lines = program.screen();
    const rule = lines.indexOf("─".repeat(cols));
    expect(lines.slice(0, rule).join("\n")).toContain("計画: ");
    expect(lines.slice(rule).join("\n")).toContain("a note by another");
  }
  expect(await leave(program)).toBe(0);
});

test("a component and questions are answered while an answer streams, which goes on behind them", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const more = gate();
  server.reply(say("the first part\n\n"), hold(more.passed), say("the second part"));
  await using program = await openPi(ws, server, { args: extensions(ws, { board: BOARD }) });
  send(program, "go on");
  await program.waitFor("the first part");
  send(program, "/pick");
  await program.waitFor("A colour of 80");
  more.open();
  await program.waitFor("the second part");
  // Enter means nothing in an empty editor: one more does no harm.
  await pressUntil(program, "enter", () => program.screen().join("\n").includes("picked red"));
  await idle(program);

  send(program, "/ask");
  await program.waitFor("as on your passport");
  program.type("Ada");
  program.press("enter");
  await program.waitFor("It is Ada.");
  program.press("enter");
  await program.waitFor("Ada true");
  expect(await leave(program)).toBe(0);
});

test("the program's own question is seen and answered before what an extension shows over it", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify({ permissions: { ask: ["bash"] } }));
  const go = gate();
  server.reply(say("soon"), hold(go.passed), call("bash", { command: "echo it-ran" }));
  server.reply(say("all done"));
  await using program = await openPi(ws, server, { args: extensions(ws, { board: BOARD }) });
  send(program, "run it");
  await program.waitFor("soon");
  send(program, "/cover");
  await program.waitFor("#".repeat(64));
  go.open();
  await program.waitFor("Run bash?");
  expect(program.screen().join("\n")).not.toContain("####");
  await pressUntil(program, "enter", () => !program.screen().join("\n").includes("Run bash?"));
  await program.waitFor(/^ {2}all do#{64}/m);
  program.press("q");
  await program.waitFor("cover closed by q");
  await program.waitFor("all done");
  expect(await leave(program)).toBe(0);
});

const BAD = `
export default function (pi) {
  pi.on("session_start", (_event, { ui }) => {
    ui.setWidget("throws", () => ({ render() { throw new Error("no luck"); }, invalidate() {} }));
    ui.setWidget("wide", () => ({ render: () => ["\\x1b[2J\\x1b[1;1H" + "w".repeat(400)], invalidate() {} }));
    const many = Array.from({ length: 100000 }, (_, row) => "many " + row);
    ui.setWidget("many", () => ({ render: () => many, invalidate() {} }), { placement: "belowEditor" });
  });
  pi.registerCommand("never", {
    description: "never comes",
    handler: async (_argument, { ui }) => ui.notify("never gave " + (await ui.custom(() => new Promise(() => {})))),
  });
  pi.registerCommand("stay", {
    description: "never leaves",
    handler: async (_argument, { ui }) => {
      const stayed = await ui.custom(() => ({ render: () => ["I stay"], invalidate() {}, handleInput() {} }));
      ui.notify("stay gave " + stayed);
    },
  });
}
`;

test("extensions that throw, draw too much, never come or never leave hold up nobody [T03, T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("the answer is here"));
  await using program = await openPi(ws, server, { args: extensions(ws, { bad: BAD, notes: NOTES }) });
  await program.waitFor("no luck");
  await program.waitFor("\\x1b[2J");
  await program.waitFor("more rows");
  await talk(program, "hello", "the answer is here");

  send(program, "/never");
  await program.waitFor("is preparing what it shows");
  program.press("escape");
  await program.waitFor("never gave undefined");

  send(program, "/stay");
  await program.waitFor("I stay");
  program.press("ctrl+c");
  await program.waitFor("again closes what");
  program.press("ctrl+c");
  await program.waitFor("stay gave undefined");

  program.type("still typing");
  await draftIs(program, "still typing");
  program.press("ctrl+c");
  await draftIs(program, "");
  expect(await leave(program)).toBe(0);
});

const TOOL = `
import { Text } from "@earendil-works/pi-tui";
export default function (pi) {
  pi.registerTool({
    name: "weigh",
    label: "Weigh",
    description: "Weighs a thing",
    parameters: { type: "object", properties: { thing: { type: "string" } }, required: ["thing"] },
    execute: async (_id, { thing }) => ({ content: [{ type: "text", text: "7 kg" }], details: { thing, kilos: 7 } }),
    renderCall: ({ thing }, theme) => new Text(theme.fg("toolTitle", "Weighing ") + thing, 0, 0),
    renderResult: ({ details }, { expanded }) =>
      new Text(details.thing + " weighs " + details.kilos + (expanded ? " kilogrammes, exactly" : " kg"), 0, 0),
  });
}
`;

test("a tool of an extension is drawn by its renderers, folded and open", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("weigh", { thing: "a 猫" }));
  server.reply(say("it was weighed"));
  await using program = await openPi(ws, server, { args: extensions(ws, { scales: TOOL }) });
  await talk(program, "weigh the cat", "it was weighed");
  await program.waitFor("✓ Weighing a 猫");
  await program.waitFor("a 猫 weighs 7 kg");
  program.press("ctrl+o");
  await program.waitFor("a 猫 weighs 7 kilogrammes, exactly");
  expect(await leave(program)).toBe(0);
});
