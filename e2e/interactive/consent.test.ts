/** What needs a person's yes: a project that would act, and a call that a rule asks about. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, modelServer, say, type TerminalProgram, type Workspace, workspace } from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { idle, isReady, leave, openPi, send, talk, userConfig } from "./support.ts";

const PROJECT = JSON.stringify({
  thinking: "low",
  hooks: [{ event: "before_tool", command: "touch hook-ran" }],
});

/** The user's own rules. */
function rules(ws: Workspace, ...ask: string[]): void {
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify({ permissions: { ask } }));
}

/** Answers a question about a call. */
function answer(program: TerminalProgram, label: string): Promise<void> {
  return pick(program, { question: "Run bash?", last: "No", label });
}

/** Answers whether the project is trusted. */
function answerTrust(program: TerminalProgram, label: string): Promise<void> {
  return pick(program, { question: "Do you trust", last: "Trust it", label });
}

/** Picks an answer. The question drops keys at first, so that nobody answers it by typing: a key without further effect is repeated. */
async function pick(
  program: TerminalProgram,
  { question, last, label }: { question: string; last: string; label: string },
): Promise<void> {
  await program.waitFor(question);
  const again = setInterval(() => program.press("pageDown"), 50);
  try {
    await program.waitFor(`› ${last}`);
  } finally {
    clearInterval(again);
  }
  const marked = () => program.screen().find((row) => row.startsWith("› ")) ?? "";
  while (!marked().startsWith(`› ${label}`)) {
    const before = marked();
    program.press("up");
    await program.waitFor(() => marked() !== before);
  }
  program.press("enter");
}

test("nothing of a project acts after a no, and the next start asks again [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".pi-go/config.json": PROJECT, "a.txt": "one" });
  server.reply(call("read", { file_path: "a.txt" }));
  server.reply(say("it says one"));
  await using program = await openPi(ws, server, { until: "frame" });
  await program.waitFor(/Do you trust[\s\S]*\.pi-go\/config\.json/);
  expect(program.screen().join("\n")).toMatch(/› Not now/);
  await answerTrust(program, "Not now");
  await program.waitFor(isReady);
  expect(program.screen().at(-1)).toContain("medium");
  await talk(program, "read it", "it says one");
  expect(ws.exists("hook-ran")).toBe(false);
  await leave(program);
  await using again = await openPi(ws, server, { until: "frame" });
  await again.waitFor("Do you trust");
  again.press("escape");
  await again.waitFor(isReady);
  expect(again.screen().at(-1)).toContain("medium");
});

test("a yes for this time acts and is forgotten [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".pi-go/config.json": PROJECT });
  await using program = await openPi(ws, server, { until: "frame" });
  await answerTrust(program, "Only this time");
  await program.waitFor(isReady);
  expect(program.screen().at(-1)).toContain("low");
  await leave(program);
  await using again = await openPi(ws, server, { until: "frame" });
  await again.waitFor("Do you trust");
});

test("a yes is remembered until one byte changes [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".pi-go/config.json": PROJECT });
  await using first = await openPi(ws, server, { until: "frame" });
  await answerTrust(first, "Trust it");
  await first.waitFor(isReady);
  expect(first.screen().at(-1)).toContain("low");
  await leave(first);
  await using second = await openPi(ws, server);
  expect(second.screen().at(-1)).toContain("low");
  await leave(second);
  ws.write(".pi-go/config.json", `${PROJECT}\n`);
  await using third = await openPi(ws, server, { until: "frame" });
  await third.waitFor("has changed since you trusted it");
});

test("a prompt that is typed while the trust question waits cannot answer it [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".pi-go/config.json": PROJECT });
  server.reply(say("sent at last"));
  await using program = await openPi(ws, server, { until: "frame", args: ["a first prompt"], cols: 120 });
  await program.waitFor("Do you trust");
  expect(server.requests).toEqual([]);
  program.press("escape");
  await program.waitFor("sent at last");
  expect(program.screen().at(-1)).toContain("medium");
});

test("a call that a rule asks about waits for the person, and `once` holds for it only [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  rules(ws, "bash");
  server.reply(call("bash", { command: "touch first" }));
  server.reply(call("bash", { command: "touch second" }));
  server.reply(say("both asked for"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor(/Run bash\?[\s\S]*touch first/);
  expect(ws.exists("first")).toBe(false);
  await answer(program, "Yes, this once");
  await program.waitFor(/Run bash\?[\s\S]*touch second/);
  expect(ws.exists("first")).toBe(true);
  expect(ws.exists("second")).toBe(false);
  await answer(program, "Yes, this once");
  await program.waitFor("both asked for");
  expect(ws.exists("second")).toBe(true);
  expect(userConfig(ws)).toEqual({ permissions: { ask: ["bash"] } });
});

test("`in this session` is not asked again in this session, and saves nothing", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  rules(ws, "bash");
  server.reply(call("bash", { command: "echo one >> list" }));
  server.reply(call("bash", { command: "echo one >> list" }));
  server.reply(say("twice done"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await answer(program, "Yes, in this session");
  await program.waitFor("twice done");
  expect(ws.read("list")).toBe("one\none\n");
  expect(userConfig(ws)).toEqual({ permissions: { ask: ["bash"] } });
});

test("`always` saves the narrow rule that was shown, and the next program does not ask", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  rules(ws, "bash");
  server.reply(call("bash", { command: "git --version" }));
  server.reply(say("a version"));
  server.reply(call("bash", { command: "git --version" }));
  server.reply(say("the same again"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor(/Yes, always +saves the rule (bash\([^)]*\))/);
  const rule = /saves the rule (bash\([^)]*\))/.exec(program.screen().join("\n"))![1]!;
  await answer(program, "Yes, always");
  await program.waitFor("a version");
  expect(userConfig(ws)).toMatchObject({ permissions: { allow: [rule] } });
  await leave(program);
  await using next = await openPi(ws, server);
  await talk(next, "go", "the same again");
});

test("a no with a reason is what the model is told, and nothing ran", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  rules(ws, "bash");
  server.reply(call("bash", { command: "touch ran" }));
  server.reply(say("then I will not"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await answer(program, "No");
  await program.waitFor("What should it do instead?");
  program.type("use the makefile");
  program.press("enter");
  await program.waitFor("then I will not");
  expect(ws.exists("ran")).toBe(false);
  expect(server.request(2).results.at(-1)?.text).toContain("use the makefile");
});

test("calls of one answer are asked about one after the other", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  rules(ws, "bash");
  server.reply(call("bash", { command: "touch left" }), call("bash", { command: "touch right" }));
  server.reply(say("one of two"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor(/Run bash\?[\s\S]*touch left/);
  await answer(program, "Yes, this once");
  await program.waitFor(/Run bash\?[\s\S]*touch right/);
  program.press("escape");
  await program.waitFor("one of two");
  expect([ws.exists("left"), ws.exists("right")]).toEqual([true, false]);
});

test("Esc at the question is a no, and the draft that was being typed is still there [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  rules(ws, "bash");
  server.reply(call("bash", { command: "until [ -e go ]; do sleep 0.02; done" }));
  server.reply(call("bash", { command: "touch ran" }));
  server.reply(say("understood"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await answer(program, "Yes, this once");
  await program.waitFor(/Running bash/);
  program.type("half a tho");
  await program.waitFor("half a tho");
  ws.write("go", "");
  await program.waitFor(/Run bash\?[\s\S]*touch ran/);
  program.press("escape");
  await program.waitFor("understood");
  await idle(program);
  expect(ws.exists("ran")).toBe(false);
  expect(program.screen().join("\n")).toContain("half a tho");
});

test("a call that a rule denies does not run and asks nobody", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(
    join(stateFolder(ws), "config.json"),
    JSON.stringify({ permissions: { deny: ["bash(touch *)"] } }),
  );
  server.reply(call("bash", { command: "touch ran" }));
  server.reply(say("not allowed"));
  await using program = await openPi(ws, server);
  await talk(program, "go", "not allowed");
  expect(ws.exists("ran")).toBe(false);
  expect(server.request(2).results.at(-1)?.isError).toBe(true);
  expect(readFileSync(join(stateFolder(ws), "config.json"), "utf8")).toContain("deny");
});
