/** Whatever ends the program, the terminal is as it was, nothing runs on, and what was said is on disk. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  call,
  hold,
  leftovers,
  modelServer,
  say,
  type TerminalProgram,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { messagesOf, onlySession } from "../support/state.ts";
import { draftIs, gate, openPi, send, talk } from "./support.ts";

/** Nothing is left: no mode of the terminal, no process, no lock, no temp file. */
function nothingIsLeft(ws: Workspace, program: TerminalProgram): void {
  expect(program.unrestored()).toEqual({});
  expect(program.progress).toBe(0);
  expect(program.title).toBe("");
  expect(leftovers(ws.marker)).toEqual([]);
  expect(existsSync(join(onlySession(ws).folder, "lock"))).toBe(false);
  expect(ws.snapshotOf("temp")).toEqual({});
}

interface Way {
  name: string;
  end(program: TerminalProgram): void | Promise<void>;
  code: number;
}

const WAYS: readonly Way[] = [
  { name: "/exit", end: (program) => send(program, "/exit"), code: 0 },
  { name: "Ctrl+D", end: (program) => program.press("ctrl+d"), code: 0 },
  {
    name: "Ctrl+C twice",
    end: (program) => program.press("ctrl+c", "ctrl+c"),
    code: 0,
  },
  { name: "SIGTERM", end: (program) => program.kill("SIGTERM"), code: 143 },
  { name: "SIGINT", end: (program) => program.kill("SIGINT"), code: 130 },
  { name: "SIGHUP", end: (program) => program.kill("SIGHUP"), code: 129 },
];

for (const { name, end, code } of WAYS)
  test(`${name} leaves the terminal as it was, with exit code ${code} and the conversation on disk`, async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(say("an answer to keep"));
    await using program = await openPi(ws, server);
    await talk(program, "hello", "an answer to keep");
    await end(program);
    expect(await program.exited).toEqual({ code, signal: null });
    nothingIsLeft(ws, program);
    expect(JSON.stringify(messagesOf(onlySession(ws)))).toContain("an answer to keep");
  });

for (const [signal, code] of [
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  test(`${signal} while bash runs ends the command too`, async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(call("bash", { command: "echo begun; sleep 600" }));
    await using program = await openPi(ws, server);
    send(program, "run it");
    await program.waitFor(/begun\n/);
    program.kill(signal);
    expect((await program.exited).code).toBe(code);
    nothingIsLeft(ws, program);
  });

test("SIGTERM while an answer streams keeps what came of it", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const never = gate();
  server.reply(say("half an answer"), hold(never.passed));
  await using program = await openPi(ws, server);
  send(program, "tell me");
  await program.waitFor("half an answer");
  program.kill("SIGTERM");
  expect((await program.exited).code).toBe(143);
  nothingIsLeft(ws, program);
  expect(JSON.stringify(messagesOf(onlySession(ws)))).toContain("half an answer");
});

test("SIGTERM while a dialog is open does not wait for an answer to it", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("hi"));
  await using program = await openPi(ws, server);
  await talk(program, "hello", "hi");
  send(program, "/theme");
  await program.waitFor("Theme ─");
  program.kill("SIGTERM");
  expect((await program.exited).code).toBe(143);
  nothingIsLeft(ws, program);
});

test("SIGTERM while the trust question of the start is open ends the program", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".pi-go/config.json": JSON.stringify({ thinking: "low" }) });
  await using program = await openPi(ws, server, { until: "frame" });
  await program.waitFor("Do you trust what this project brings");
  program.kill("SIGTERM");
  expect((await program.exited).code).toBe(143);
  expect(program.unrestored()).toEqual({});
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a closed window ends the program and its commands", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "echo begun; sleep 600" }));
  await using program = await openPi(ws, server);
  send(program, "run it");
  await program.waitFor(/begun\n/);
  program.hangUp();
  await program.exited;
  expect(leftovers(ws.marker)).toEqual([]);
  expect(JSON.stringify(messagesOf(onlySession(ws)))).toContain("run it");
});

test("an end before anything was loaded restores the terminal, too [A-INIT-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { until: "frame" });
  program.press("ctrl+d");
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.unrestored()).toEqual({});
  expect(leftovers(ws.marker)).toEqual([]);
});

test("keys that were typed for the program while it ended do not reach the shell", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.type("draft");
  await draftIs(program, "draft");
  program.press("ctrl+c");
  await draftIs(program, "");
  program.press("ctrl+d");
  await program.exited;
  // The release of a key in kitty's protocol is an escape sequence: a shell would show it.
  expect(program.screen().join("")).not.toMatch(/\[|;|u$/);
});

test("a program in which nothing was said leaves no session behind", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.press("ctrl+d");
  await program.exited;
  expect(Object.keys(ws.snapshotOf("home")).filter((path) => path.includes("sessions/"))).toEqual([]);
  expect(program.screen().join("\n").trim()).toBe("");
});

test("--no-session keeps nothing of what was said and offers no way back", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("between us"));
  await using program = await openPi(ws, server, { args: ["--no-session"] });
  await talk(program, "a secret", "between us");
  program.press("ctrl+d");
  expect((await program.exited).code).toBe(0);
  expect(program.screen().join("\n").trim()).toBe("");
  expect(JSON.stringify(ws.snapshotOf("home"))).not.toContain("a secret");
});
