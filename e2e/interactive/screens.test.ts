/** The main screens as whole texts. After a change that is meant: RENEW_SCREENS=1, and look at the difference. */

import { test } from "bun:test";
import { join } from "node:path";
import {
  type ChangingScreen,
  call,
  goldenScreens,
  modelServer,
  say,
  type TerminalProgram,
  workspace,
} from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { openPi, send, talk } from "./support.ts";

const expectScreen = goldenScreens(import.meta.dir);
/** What differs from run to run: the version, the folder, times and prices. */
const MASK = [
  /pi \d+\.\d+\.\d+/,
  /\/tmp\/testkit-\w+\/project/,
  /today [\d.]+k?/,
  /<?\$\d+\.\d+/,
  /\d+\.\ds\b/,
];

/** Some rows of a program's screen, as a screen of its own. */
function rowsOf(shown: TerminalProgram, from: number, to: number): ChangingScreen {
  const rows = () => shown.screen().slice(from, to);
  return {
    size: { cols: shown.size.cols, rows: rows().length },
    settled: () => shown.settled(),
    screen: rows,
    styles: () => shown.styles().slice(from, to),
    cell: (row, column) => shown.cell(row + from, column),
    cursor: () => ({ row: 0, column: 0 }),
  };
}

test("the start screen [A-INIT-01][A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({}, { git: true });
  await using program = await openPi(ws, server);
  await expectScreen(program).toMatchGolden("start", { mask: MASK });
});

test("an answer with a diff, a command that failed and Markdown [A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\ntwo\nthree\n" });
  server.reply(
    say("I change it."),
    call("edit", { file_path: "a.txt", old_string: "two", new_string: "2" }),
    call("bash", { command: "cat a.txt; exit 1" }),
  );
  server.reply(say("## Done\n\n- the **second** line\n- see `a.txt`\n\n```sh\ncat a.txt\n```\n"));
  await using program = await openPi(ws, server, { rows: 36 });
  await talk(program, "change the second line", "see a.txt");
  await expectScreen(program).toMatchGolden("answer", { mask: MASK });
});

test("the menu of slash commands [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { cols: 100 });
  program.type("/");
  await program.waitFor("→ clear");
  await expectScreen(program).toMatchGolden("slash-menu", { mask: MASK });
});

test("the help [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { cols: 100, rows: 40 });
  send(program, "/help");
  await program.waitFor(/\/help ─.* 1-\d+ of \d+/);
  await expectScreen(program).toMatchGolden("help", { mask: MASK });
});

test("the chooser of models [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { rows: 30 });
  send(program, "/model");
  await program.waitFor(/Model ─[\s\S]*anthropic\/small-model/);
  await expectScreen(program).toMatchGolden("chooser", { mask: MASK });
});

test("the question before a call [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(
    join(stateFolder(ws), "config.json"),
    JSON.stringify({ permissions: { ask: ["bash(git push:*)"] } }),
  );
  server.reply(call("bash", { command: "git push origin main" }));
  await using program = await openPi(ws, server);
  send(program, "publish it");
  await program.waitFor("Enter chooses");
  // What is above tells how long the model has been waited for, and its spinner turns.
  const from = program.screen().findIndex((row) => row.startsWith("─ Run bash?"));
  await expectScreen(rowsOf(program, from, -1)).toMatchGolden("consent", { mask: MASK });
});
