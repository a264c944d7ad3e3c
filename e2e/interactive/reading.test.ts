/** Reading what was said: the wheel, the search, and copying with the mouse. */
import { expect, test } from "bun:test";
import { hold, modelServer, say, type TerminalProgram, workspace } from "@pi-ts/testkit";
import { draftIs, gate, idle, openPi, send, talk } from "./support.ts";

const LINES = Array.from({ length: 80 }, (_, at) => `- line ${at}.`).join("\n");
const shows = (program: TerminalProgram, text: string) => program.screen().join("\n").includes(text);

test("the wheel scrolls the conversation and leaves the draft alone [A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say(LINES));
  await using program = await openPi(ws, server);
  await talk(program, "count", "line 79.");
  program.type("a draft");
  await draftIs(program, "a draft");
  program.wheel("up", 20);
  await program.waitFor((shown) => !shows(shown, "line 79."));
  await draftIs(program, "a draft");
  program.wheel("down", 60);
  await program.waitFor("line 79.");
});

test("who reads back is not carried off by what comes, and Ctrl+End goes to its end [A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const rest = gate();
  server.reply(say(`${LINES}\n`), hold(rest.passed), say("- the last line of all\n"));
  await using program = await openPi(ws, server);
  send(program, "count");
  await program.waitFor("line 79.");
  program.press("ctrl+home");
  await program.waitFor("> count");
  rest.open();
  await idle(program);
  expect(shows(program, "> count")).toBe(true);
  expect(shows(program, "the last line of all")).toBe(false);
  program.press("ctrl+end");
  await program.waitFor("the last line of all");
});

test("F3 searches what was said, Enter goes on to the next place, and Esc gives the draft back [A-TUI-03][T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say(LINES));
  await using program = await openPi(ws, server);
  await talk(program, "count", "line 79.");
  program.type("a draft");
  await draftIs(program, "a draft");
  program.press("f3");
  await program.waitFor("Search");
  program.type("line 7.");
  await program.waitFor("1 of 1");
  expect(shows(program, "line 7.")).toBe(true);
  program.press("ctrl+u");
  program.type("no such thing");
  await program.waitFor("nothing found");
  program.press("escape");
  await draftIs(program, "a draft");
  await program.waitFor((shown) => !shows(shown, "Search "));
});

test("what is dragged over goes onto the clipboard, and no mouse sequence into the prompt", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("the first words\n\nand the last"));
  await using program = await openPi(ws, server);
  await talk(program, "speak", "and the last");
  const row = program.screen().findIndex((line) => line.includes("the first words"));
  const column = program.screen()[row]!.indexOf("first");
  program.drag({ row, column }, { row, column: column + "first words".length - 1 });
  await program.waitFor((shown) => shown.clipboard.length > 0);
  expect(program.clipboard[0]?.text).toBe("first words");
  program.type("x");
  await draftIs(program, "x");
});
