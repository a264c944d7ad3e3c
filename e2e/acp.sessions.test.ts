/** `pi acp` over the life of sessions: loaded again, compacted, in a folder with two names, and with an editor that breaks off. */
import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { httpServer } from "../packages/agent/src/extension/mcp/test-support/http-server.ts";
import { startEditor } from "./support/acp.ts";
import { fakeEntry, userConfig } from "./support/mcp.ts";
import { messagesOf, onlySession } from "./support/state.ts";

test("a project that the editor knows by a link is told under that name, and found again by it", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "old\n" });
  const linked = join(ws.outside, "linked");
  symlinkSync(ws.path, linked);
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(linked);
  server.reply(call("edit", { file_path: ws.at("a.txt"), old_string: "old", new_string: "new" }));
  server.reply(say("done"));
  await editor.prompt(sessionId, [
    { type: "text", text: "change " },
    { type: "resource_link", uri: `file://${linked}/a.txt`, name: "a.txt" },
  ]);
  expect(server.request(1).userTexts.at(-1)).toBe("change `a.txt`");
  expect(editor.updates("tool_call_update").at(-1)).toMatchObject({
    content: [{ type: "diff", path: join(linked, "a.txt"), oldText: "old\n", newText: "new\n" }],
    locations: [{ path: join(linked, "a.txt"), line: 1 }],
  });
  const { sessions } = await editor.request(methods.agent.session.list, { cwd: linked });
  expect(sessions).toMatchObject([{ sessionId, cwd: linked }]);
});

test("a session that is loaded again by the same editor goes on, and asks once for each call", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { permissions: { ask: ["write(**)"] } });
  server.reply(say("hello"));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  await editor.prompt(sessionId, "hi");
  const before = editor.told.length;
  await editor.request(methods.agent.session.load, { sessionId, cwd: ws.path, mcpServers: [] });
  const replayed = editor.told.slice(before).filter(({ update }) => update.sessionUpdate.endsWith("_chunk"));
  expect(replayed).toHaveLength(2);
  server.reply(call("write", { file_path: "a.txt", content: "a" }));
  server.reply(say("written"));
  await editor.prompt(sessionId, "write");
  expect(editor.asked).toHaveLength(1);
  expect(editor.updates("tool_call")).toHaveLength(1);
  expect(ws.read("a.txt")).toBe("a");
});

test("/compact replaces the older part by a summary, and a conversation too short for it is said to be", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using editor = await startEditor(ws, server, { capabilities: { session: { compaction: {} } } });
  const { sessionId } = await editor.newSession(ws.path);
  const refused = await editor.prompt(sessionId, "/compact").then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(refused).toMatchObject({ data: { hint: expect.any(String) } });
  for (let turn = 0; turn < 6; turn++) {
    server.reply(say(`answer ${turn} ${"word ".repeat(4_000)}`));
    await editor.prompt(sessionId, `question ${turn}`);
  }
  server.reply(say("the summary of it all"));
  expect(await editor.prompt(sessionId, "/compact the questions")).toEqual({ stopReason: "end_turn" });
  expect(server.request(7).userTexts.join("\n")).toContain("the questions");
  expect(editor.updates("compaction_update").map(({ status }) => status)).toEqual([
    "in_progress",
    "failed",
    "in_progress",
    "completed",
  ]);
  server.reply(say("after"));
  await editor.prompt(sessionId, "go on");
  expect(server.request(8).userTexts.join("\n")).toContain("the summary of it all");
});

test("an editor that stops reading ends pi, with what it runs, and loses nothing", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "echo begun; while sleep 0.05; do echo more; done" }));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  editor.prompt(sessionId, "wait").catch(() => undefined);
  await editor.until(
    (update) =>
      update.sessionUpdate === "tool_call_update" && JSON.stringify(update.content).includes("begun"),
  );
  editor.stopReading();
  await editor.exited;
  // The disposal of the workspace finds any process that was left.
  expect(messagesOf(onlySession(ws)).some(({ role }) => role === "tool")).toBe(true);
});

test("a tool server over HTTP is handed over with its headers", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  using tools = httpServer({ text: "from afar" });
  await using editor = await startEditor(ws, server);
  const headers = [{ name: "X-Editor", value: "yes" }];
  const { sessionId } = await editor.newSession(ws.path, [
    { type: "http", name: "remote", url: tools.url, headers },
  ]);
  server.reply(call("remote__t", {}));
  server.reply(say("done"));
  await editor.prompt(sessionId, "go");
  expect(server.request(2).results[0]?.text).toContain("from afar");
  expect(tools.headers().get("x-editor")).toBe("yes");
});

test("the prompts of a tool server that comes late are announced when it has come", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 0 } });
  await using editor = await startEditor(ws, server);
  const plan = { prompts: [{ name: "greet", description: "says hello" }], listWhen: ws.at("gate") };
  const { sessionId } = await editor.newSession(ws.path, [{ name: "late", ...fakeEntry(plan), env: [] }]);
  const announced = () =>
    editor
      .updates("available_commands_update", sessionId)
      .map(({ availableCommands }) => availableCommands.map(({ name }) => name));
  await editor.until(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  expect(announced()).toEqual([["compact"]]);
  ws.write("gate", "");
  await editor.until(
    (update) =>
      update.sessionUpdate === "available_commands_update" &&
      update.availableCommands.some(({ name }) => name === "late:greet"),
  );
  server.reply(say("hello"));
  await editor.prompt(sessionId, "/late:greet");
  expect(server.request(1).userTexts.at(-1)).toContain("Prompt");
});

test("an editor that loads an open session with other tool servers is told which are not used", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  server.reply(say("hello"));
  await using editor = await startEditor(ws, server);
  const one = { name: "one", ...fakeEntry(), env: [] };
  const { sessionId } = await editor.newSession(ws.path, [one]);
  await editor.prompt(sessionId, "hi");
  const load = (mcpServers: (typeof one)[]) =>
    editor.request(methods.agent.session.load, { sessionId, cwd: ws.path, mcpServers });
  await load([one]);
  await load([one, { ...one, name: "two" }]);
  await editor.until(
    ({ sessionUpdate, ...update }) =>
      sessionUpdate === "agent_thought_chunk" && JSON.stringify(update).includes("not used: two."),
  );
  expect(editor.text("agent_thought_chunk").match(/not used/g)).toHaveLength(1);
  await editor.request(methods.agent.session.close, { sessionId });
  await load([one, { ...one, name: "two" }]);
  server.reply(say("there"));
  await editor.prompt(sessionId, "and now");
  const tools = server.request(2).tools.map(({ name }) => name);
  expect([tools.includes("one__do"), tools.includes("two__do")]).toEqual([true, true]);
});
