/** Ctrl+Z and what a shell does with it. */
import { expect, test } from "bun:test";
import {
  hold,
  modelServer,
  say,
  startTerminal,
  type TerminalProgram,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { anyPi, commandFor } from "../support/pi.ts";
import { draftIs, gate, idle, isReady, leave, openPi, send, talk } from "./support.ts";

/** A shell with job control on a terminal of its own, without line editing, so that it leaves the terminal alone. */
function shell(ws: Workspace, env: Record<string, string>): TerminalProgram {
  const options = ["--norc", "--noprofile", "--noediting", "-i"];
  return startTerminal(["bash", ...options], { cwd: ws.path, env: { ...env, PS1: "shell> " } });
}

test("Ctrl+Z gives the shell its terminal, fg brings the conversation and the draft back [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("before the break"));
  server.reply(say("after the break"));
  const { command, rest } = commandFor(ws, ["--sandbox", "off"], { entrance: anyPi(), server });
  await using program = shell(ws, rest.env);
  await program.waitFor("shell>");
  program.type(`${command.join(" ")} \n`);
  await program.waitFor(isReady);
  await talk(program, "hello", "before the break");
  program.type("a draft");
  await draftIs(program, "a draft");
  program.press("ctrl+z");
  await program.waitFor(/Stopped[\s\S]*shell>\s*$/);
  expect(program.unrestored()).toEqual({});
  program.type("echo still $((40 + 2))\n");
  await program.waitFor("still 42");
  program.type("fg\n");
  await draftIs(program, "a draft");
  expect(program.screen().join("\n")).toContain("before the break");
  program.press("ctrl+c");
  await draftIs(program, "");
  await talk(program, "and now?", "after the break");
  program.press("ctrl+d");
  await program.waitFor(/pi --session \w+[\s\S]*shell>\s*$/);
  expect(program.unrestored()).toEqual({});
  program.type("exit\n");
  await program.exited;
});

test("Ctrl+Z while an answer comes: after fg the rest of it is there [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const rest = gate();
  server.reply(say("the first half"), hold(rest.passed), say(" and the second half"));
  const { command, rest: options } = commandFor(ws, ["--sandbox", "off"], { entrance: anyPi(), server });
  await using program = shell(ws, options.env);
  await program.waitFor("shell>");
  program.type(`${command.join(" ")} \n`);
  await program.waitFor(isReady);
  send(program, "tell me");
  await program.waitFor("the first half");
  program.press("ctrl+z");
  await program.waitFor(/Stopped[\s\S]*shell>\s*$/);
  expect(program.unrestored()).toEqual({});
  rest.open();
  program.type("fg\n");
  await program.waitFor("and the second half");
  await idle(program);
  program.press("ctrl+d");
  await program.waitFor(/pi --session \w+[\s\S]*shell>\s*$/);
  program.type("exit\n");
  await program.exited;
});

test("Ctrl+Z where no shell could bring pi back does no harm [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.type("a draft");
  await draftIs(program, "a draft");
  program.press("ctrl+z");
  await program.waitFor((shown) => !shown.modes.alternateScreen);
  await program.waitFor((shown) => shown.modes.alternateScreen);
  program.type("!");
  await draftIs(program, "a draft!");
  program.press("ctrl+c");
  await draftIs(program, "");
  expect(await leave(program)).toBe(0);
});
