/** Keys by the state they are pressed in: Esc closes or stops and never quits, Ctrl+C clears, stops and only then quits, Ctrl+D is a shell's. */
import { expect, test } from "bun:test";
import {
  call,
  hang,
  hold,
  type ModelServer,
  modelServer,
  say,
  type TerminalProgram,
  workspace,
} from "@pi-ts/testkit";
import { draftIs, gate, idle, openPi, send, talk } from "./support.ts";

/** Proves that the program still runs and reads keys: types a word and sees it behind the draft, then takes it away. */
async function listens(program: TerminalProgram, draft = ""): Promise<void> {
  program.type("ZZ");
  await draftIs(program, `${draft}ZZ`);
  program.press("backspace", "backspace");
  await draftIs(program, draft);
}

/** A prompt whose answer stands still in its middle. */
async function streaming(program: TerminalProgram, server: ModelServer): Promise<{ open(): void }> {
  const rest = gate();
  server.reply(say("The first half"), hold(rest.passed), say(" and the rest."));
  send(program, "tell me");
  await program.waitFor("The first half");
  return rest;
}

const SLEEPER = "echo begun; sleep 600";

/** A prompt whose answer runs a command that does not end. */
async function runningBash(program: TerminalProgram, server: ModelServer): Promise<void> {
  server.reply(call("bash", { command: SLEEPER }));
  send(program, "run it");
  await program.waitFor(/begun\n/);
}

test("at an empty prompt Esc does nothing, however often [T06][A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.press("escape", "escape", "escape");
  await listens(program);
});

test("at an empty prompt one Ctrl+C says that a second one quits, and two in a row do [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.press("ctrl+c");
  await program.waitFor("Ctrl+C again quits");
  program.type("x");
  await draftIs(program, "x");
  program.press("ctrl+c", "ctrl+c", "ctrl+c");
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

test("a key between two Ctrl+C means that the second one does not quit [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.press("ctrl+c");
  await program.waitFor("Ctrl+C again quits");
  program.type("x");
  await draftIs(program, "x");
  program.press("ctrl+c");
  await draftIs(program, "");
  await listens(program);
});

test("Ctrl+C quits only within two seconds of the first: when the hint is gone, it only hints again [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.press("ctrl+c");
  await program.waitFor("Ctrl+C again quits");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("again quits"));
  program.press("ctrl+c");
  await program.waitFor("Ctrl+C again quits");
  await listens(program);
});

test("at an empty prompt Ctrl+D quits [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.press("ctrl+d");
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

test("with a draft Esc and Ctrl+D leave it, Ctrl+C clears it, and Up brings it back [T06][A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.type("my long thought");
  program.press("escape", "ctrl+d");
  await listens(program, "my long thought");
  program.press("ctrl+c");
  await draftIs(program, "");
  program.press("up");
  await draftIs(program, "my long thought");
});

test("with the menu open Esc closes it and keeps the draft; Tab and Enter take what is marked [T06][A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.type("/se");
  await program.waitFor(/→ session/);
  program.press("escape");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("→ session"));
  await listens(program, "/se");
  program.press("ctrl+c");
  program.type("/the");
  await program.waitFor(/→ theme/);
  program.press("tab");
  await program.waitFor(/\n\/theme/);
  program.press("escape", "ctrl+c");
  await draftIs(program, "");
  program.type("/docto");
  await program.waitFor(/→ doctor/);
  program.press("enter");
  await program.waitFor(/ok +bash/);
});

test("Down and Up move through the menu, and Ctrl+C clears what was typed for it [T06][A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.type("/");
  await program.waitFor(/→ clear/);
  program.press("down");
  await program.waitFor(/→ resume/);
  program.press("up");
  await program.waitFor(/→ clear/);
  program.press("ctrl+c");
  await draftIs(program, "");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("→ clear"));
});

test("while an answer streams Esc stops it, and what came stays [T06][A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  await streaming(program, server);
  program.press("escape");
  await server.waitForAborted();
  await idle(program);
  expect(program.screen().join("\n")).toContain("The first half");
  program.press("escape", "escape");
  await listens(program);
});

test("while an answer streams Ctrl+C first clears the draft and then stops the answer [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  await streaming(program, server);
  program.type("a draft");
  await draftIs(program, "a draft");
  program.press("ctrl+c");
  await draftIs(program, "");
  expect(server.aborted).toBe(0);
  program.press("ctrl+c");
  await server.waitForAborted();
  await idle(program);
  await listens(program);
});

test("two Ctrl+C in a row while an answer streams stop it and do not quit [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  await streaming(program, server);
  program.press("ctrl+c", "ctrl+c");
  await server.waitForAborted();
  await idle(program);
  await listens(program);
});

test("Enter and Tab at an empty prompt do nothing [A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.press("enter", "tab", "enter");
  await listens(program);
  program.type("   ");
  program.press("enter");
  program.press("ctrl+c");
  await listens(program);
  expect(server.requests).toEqual([]);
});

test("PgUp and PgDn read while an answer streams, and Up and Down stay in the draft [A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const rest = gate();
  server.reply(say(Array.from({ length: 60 }, (_, at) => `- line ${at}`).join("\n")), hold(rest.passed));
  await using program = await openPi(ws, server);
  send(program, "count");
  await program.waitFor("line 59");
  program.type("a draft");
  program.press("pageUp");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("line 59"));
  await draftIs(program, "a draft");
  program.press("pageDown");
  await program.waitFor("line 59");
  program.press("up", "down");
  await draftIs(program, "a draft");
  rest.open();
  await idle(program);
});

test("while an answer streams Esc keeps the draft that is being typed, and Ctrl+D does not quit [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  await streaming(program, server);
  program.press("ctrl+d");
  program.type("a draft");
  await draftIs(program, "a draft");
  program.press("escape");
  await server.waitForAborted();
  await idle(program);
  await listens(program, "a draft");
});

for (const key of ["escape", "ctrl+c"] as const)
  test(`while bash runs ${key} ends the command at once, and the model hears that it was interrupted [T06]`, async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    await using program = await openPi(ws, server);
    await runningBash(program, server);
    program.press(key);
    await idle(program);
    server.reply(say("understood"));
    await talk(program, "go on", "understood");
    expect(server.request(2).results.at(-1)?.text).toMatch(/interrupted/i);
  });

test("while bash runs keys are answered, and what is typed waits as a draft [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  await runningBash(program, server);
  await listens(program);
  program.press("escape");
  await idle(program);
});

for (const key of ["escape", "ctrl+c"] as const)
  test(`${key} ends a command of the person's own and keeps what it said [T06]`, async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    await using program = await openPi(ws, server);
    send(program, `!${SLEEPER}`);
    await program.waitFor(/begun\n/);
    await listens(program);
    program.press(key);
    await program.waitFor(/[✗×!■].*echo begun.*(?:interrupted|SIGTERM|signal)/i);
    expect(program.screen().join("\n")).toContain("begun");
    await listens(program);
  });

for (const key of ["escape", "ctrl+c"] as const)
  test(`${key} closes a dialog, changes nothing and keeps the draft under it [T06][A-TUI-03]`, async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    await using program = await openPi(ws, server);
    program.type("a draft");
    await draftIs(program, "a draft");
    program.press("ctrl+l");
    await program.waitFor("Model ─");
    program.press(key);
    await program.waitFor("The model stays as it is.");
    await listens(program, "a draft");
  });

test("Ctrl+D in a dialog neither answers it nor quits [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/theme");
  await program.waitFor("Theme ─");
  program.press("ctrl+d", "down");
  await program.waitFor(/› Tokyo Night/);
  program.press("escape");
  await program.waitFor("The theme stays as it is.");
});

test("Ctrl+D while a command of the person's own runs does not quit [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, `!${SLEEPER}`);
  await program.waitFor(/begun\n/);
  program.press("ctrl+d");
  await listens(program);
  program.press("escape");
  await program.waitFor(/interrupted|SIGTERM|signal/i);
});

test("Esc stops a slash command that waits for its model, too [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(hang());
  await using program = await openPi(ws, server);
  send(program, "/ping");
  await server.waitFor(1);
  await listens(program);
  program.press("escape");
  await server.waitForAborted();
  await listens(program);
});

test("a terminal without kitty's protocol: a lone ESC closes the menu, Alt and a letter is no ESC [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { keyboard: "plain" });
  program.type("/se");
  await program.waitFor(/→ session/);
  program.send("\x1b");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("→ session"));
  await listens(program, "/se");
  program.press("ctrl+c");
  const rest = await streaming(program, server);
  program.type("one two");
  await draftIs(program, "one two");
  program.send("\x1bb");
  program.type("x");
  await draftIs(program, "one xtwo");
  expect(server.aborted).toBe(0);
  rest.open();
  await program.waitFor("and the rest.");
});

test("PgUp and PgDn read back and forth in a long conversation, and sending comes back to its end [A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const lines = Array.from({ length: 80 }, (_, at) => `- line ${at}`).join("\n");
  server.reply(say(lines));
  server.reply(say("seen to the end"));
  await using program = await openPi(ws, server);
  await talk(program, "count", "line 79");
  program.press("pageUp");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("line 79"));
  program.press("ctrl+home");
  await program.waitFor("> count");
  program.press("pageDown");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("> count"));
  await talk(program, "and?", "seen to the end");
});

test("Up walks through what was sent, and Down comes back to the draft [A-TUI-03][A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("fine")]);
  await using program = await openPi(ws, server);
  await talk(program, "the first", "fine");
  send(program, "the second");
  await program.waitFor("> the second");
  await idle(program);
  program.press("up");
  await draftIs(program, "the second");
  program.press("up");
  await draftIs(program, "the first");
  program.press("down", "down");
  await draftIs(program, "");
});

test("half a bracketed paste is waited for: its Enter sends nothing, and Esc inside is no key [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("got it"));
  await using program = await openPi(ws, server);
  program.send("\x1b[200~first line\rsecond");
  program.send("\x1b\r");
  program.send(" line\x1b[201~");
  await program.waitFor(/first line\nsecond/);
  expect(server.requests).toEqual([]);
  program.press("enter");
  await program.waitFor("got it");
  expect(server.request(1).userTexts.at(-1)).toMatch(/first line\nsecond/);
});
