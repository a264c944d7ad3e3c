/** `pi acp` as an editor meets it: the official client on the pipes of the built executable. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { call, hang, modelServer, say, think, workspace } from "@pi-ts/testkit";
import { startEditor } from "./support/acp.ts";
import { fakeEntry, userConfig } from "./support/mcp.ts";
import { messagesOf, onlySession, stateFolder } from "./support/state.ts";

test("an edit is asked for, granted, and told as the change of the file with its line [A-OUT-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\ntwo\nthree\n" });
  userConfig(ws, { permissions: { ask: ["edit(**)"] } });
  server.reply(
    think("a number is shorter"),
    call("edit", { file_path: "a.txt", old_string: "two", new_string: "2" }),
  );
  server.reply(say("It is a number now."));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  expect(await editor.prompt(sessionId, "make it a number")).toEqual({ stopReason: "end_turn" });

  const [asked] = editor.asked;
  expect(asked?.options.map(({ kind, name }) => [kind, name])).toEqual([
    ["allow_once", "Allow once"],
    ["allow_always", "Allow in this session: edit(/a.txt)"],
    ["allow_always", "Always allow: edit(/a.txt)"],
    ["reject_once", "Reject"],
  ]);
  expect(asked?.toolCall.content).toContainEqual({
    type: "diff",
    path: ws.at("a.txt"),
    oldText: "two",
    newText: "2",
  });
  const id = asked!.toolCall.toolCallId;
  expect(editor.updates("tool_call")).toMatchObject([
    { toolCallId: id, kind: "edit", status: "pending", title: "Edit `a.txt`" },
  ]);
  expect(editor.updates("tool_call_update")).toMatchObject([
    { toolCallId: id, status: "in_progress", locations: [{ path: ws.at("a.txt") }] },
    {
      toolCallId: id,
      status: "completed",
      content: [
        {
          type: "diff",
          path: ws.at("a.txt"),
          oldText: "one\ntwo\nthree\n",
          newText: "one\n2\nthree\n",
        },
      ],
      locations: [{ path: ws.at("a.txt"), line: 2 }],
    },
  ]);
  expect(editor.text("agent_thought_chunk")).toContain("a number is shorter");
  expect(editor.text()).toBe("It is a number now.");
  expect(ws.read("a.txt")).toBe("one\n2\nthree\n");
});

test("a call that is refused is not run, and the model reads why", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" });
  userConfig(ws, { permissions: { ask: ["bash(rm:*)"] } });
  server.reply(call("bash", { command: "rm a.txt" }));
  server.reply(say("I left it."));
  await using editor = await startEditor(ws, server, { decide: () => "refuse" });
  const { sessionId } = await editor.newSession(ws.path);
  expect(await editor.prompt(sessionId, "remove it")).toEqual({ stopReason: "end_turn" });
  expect(editor.asked[0]?.toolCall).toMatchObject({ kind: "execute", title: "`rm a.txt`" });
  expect(editor.updates("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  expect(server.request(2).results[0]?.text).toContain("the user refused this call");
  expect(ws.exists("a.txt")).toBe(true);
});

test("what is allowed for the session is not asked again in it, and what is allowed for good not in the next", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { permissions: { ask: ["bash(echo:*)", "bash(printf:*)"] } });
  server.reply(call("bash", { command: "echo 1" }), call("bash", { command: "echo 1" }));
  server.reply(call("bash", { command: "printf 2" }));
  server.reply(say("done"));
  await using editor = await startEditor(ws, server);
  editor.decide = ({ toolCall }) => (toolCall.title?.includes("echo") ? "session" : "always");
  const first = await editor.newSession(ws.path);
  await editor.prompt(first.sessionId, "go");
  expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual(["`echo 1`", "`printf 2`"]);

  server.reply(call("bash", { command: "echo 1" }), call("bash", { command: "printf 2" }));
  server.reply(say("done"));
  const second = await editor.newSession(ws.path);
  await editor.prompt(second.sessionId, "go");
  expect(editor.asked.map(({ toolCall }) => toolCall.title).slice(2)).toEqual(["`echo 1`"]);
});

test("a running command is cancelled: its process ends, its call is closed, and the prompt says so", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "echo begun; sleep 600" }));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  const answer = editor.prompt(sessionId, "wait");
  await editor.until(
    (update) =>
      update.sessionUpdate === "tool_call_update" && JSON.stringify(update.content).includes("begun"),
  );
  await editor.cancel(sessionId);
  expect(await answer).toEqual({ stopReason: "cancelled" });
  expect(editor.updates("tool_call_update").at(-1)).toMatchObject({ status: "failed" });

  server.reply(say("still here"));
  expect(await editor.prompt(sessionId, "and now?")).toEqual({ stopReason: "end_turn" });
  expect(editor.text()).toContain("still here");
  expect(await editor.leave()).toBe(0);
});

test("a prompt that is cancelled while a question is open leaves no call open and runs nothing", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { permissions: { ask: ["write(**)"] } });
  server.reply(call("write", { file_path: "b.txt", content: "b" }));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  const cancelled = Promise.withResolvers<null>();
  editor.decide = async () => {
    await editor.cancel(sessionId);
    return cancelled.promise;
  };
  const answer = editor.prompt(sessionId, "write it");
  expect(await answer).toEqual({ stopReason: "cancelled" });
  cancelled.resolve(null);
  expect(editor.updates("tool_call")).toMatchObject([{ status: "pending", kind: "edit" }]);
  expect(editor.updates("tool_call_update")).toMatchObject([{ status: "failed" }]);
  expect(ws.exists("b.txt")).toBe(false);
});

test("a prompt that is sent in one go with the cancelling of another is answered, and can be cancelled itself", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(hang());
  server.reply(say("instead"));
  server.reply(hang());
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  const first = editor.prompt(sessionId, "stay");
  await server.waitFor(1);
  void editor.cancel(sessionId);
  expect(await Promise.all([first, editor.prompt(sessionId, "rather this")])).toEqual([
    { stopReason: "cancelled" },
    { stopReason: "end_turn" },
  ]);
  const third = editor.prompt(sessionId, "stay again");
  await server.waitFor(3);
  void editor.cancel(sessionId);
  const fourth = editor.prompt(sessionId, "no, that");
  void editor.cancel(sessionId);
  expect(await Promise.all([third, fourth])).toEqual([
    { stopReason: "cancelled" },
    { stopReason: "cancelled" },
  ]);
});

test("a session is loaded again by another process with everything that was said and done", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "old\n" });
  server.reply(
    think("first I look"),
    say("I replace it."),
    call("edit", { file_path: "a.txt", old_string: "old", new_string: "new" }),
  );
  server.reply(say("Replaced."));
  let sessionId: string;
  {
    await using editor = await startEditor(ws, server);
    ({ sessionId } = await editor.newSession(ws.path));
    await editor.prompt(sessionId, "replace it");
    expect(await editor.leave()).toBe(0);
  }
  await using editor = await startEditor(ws, server);
  const state = await editor.request(methods.agent.session.load, {
    sessionId,
    cwd: ws.path,
    mcpServers: [],
  });
  expect(state.modes?.currentModeId).toBe("default");
  expect(
    editor.told
      .map(({ update }) => update)
      .filter((update) => !/commands|config/.test(update.sessionUpdate))
      .map((update) => [
        update.sessionUpdate,
        update.sessionUpdate === "tool_call"
          ? { status: update.status, content: update.content }
          : "content" in update && (update.content as { text?: string }).text,
      ]),
  ).toEqual([
    ["user_message_chunk", "replace it"],
    ["agent_thought_chunk", "first I look"],
    ["agent_message_chunk", "I replace it."],
    [
      "tool_call",
      {
        status: "completed",
        content: [{ type: "diff", path: ws.at("a.txt"), oldText: "old", newText: "new" }],
      },
    ],
    ["agent_message_chunk", "Replaced."],
  ]);
  server.reply(say("It said old."));
  await editor.prompt(sessionId, "what did it say before?");
  expect(server.request(3).userTexts).toContain("replace it");
});

test("a tool server that the editor hands over lends its tools to this session, and to no other", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  await using editor = await startEditor(ws, server);
  const entry = fakeEntry();
  const handed = { name: "editor", ...entry, env: [{ name: "FROM_EDITOR", value: "yes" }] };
  const { sessionId } = await editor.newSession(ws.path, [handed]);
  server.reply(call("editor__do", { what: "environment" }));
  server.reply(say("done"));
  await editor.prompt(sessionId, "look");
  expect(server.request(2).results[0]?.text).toContain('"FROM_EDITOR":"yes"');

  const other = await editor.newSession(ws.path);
  server.reply(say("no"));
  await editor.prompt(other.sessionId, "and here?");
  expect(server.request(3).tools.map(({ name }) => name)).not.toContain("editor__do");
});

test("slash commands are announced, and one is sent to the model as what it stands for", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(
    join(stateFolder(ws), "skills/release/SKILL.md"),
    "---\nname: release\ndescription: make a release\n---\nTag the release $ARGUMENTS.\n",
  );
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  await editor.until((update) => update.sessionUpdate === "available_commands_update");
  const [announced] = editor.updates("available_commands_update");
  expect(announced?.availableCommands).toContainEqual(
    expect.objectContaining({ name: "release", description: "make a release (skill)" }),
  );
  server.reply(say("tagged"));
  await editor.prompt(sessionId, "/release 1.2.3");
  expect(server.request(1).userTexts.join("\n")).toContain("Tag the release 1.2.3.");
});

test("plan mode is entered and left by the editor, and lets nothing be written", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using editor = await startEditor(ws, server);
  const { sessionId, modes } = await editor.newSession(ws.path);
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(["default", "plan"]);
  await editor.request(methods.agent.session.setMode, { sessionId, modeId: "plan" });
  expect(editor.updates("current_mode_update")).toMatchObject([{ currentModeId: "plan" }]);
  server.reply(call("write", { file_path: "a.txt", content: "a" }));
  server.reply(say("I may not."));
  await editor.prompt(sessionId, "write it");
  expect(editor.updates("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  expect(ws.exists("a.txt")).toBe(false);

  await editor.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: "mode",
    value: "default",
  });
  server.reply(call("write", { file_path: "a.txt", content: "a" }));
  server.reply(say("Written."));
  await editor.prompt(sessionId, "and now?");
  expect(ws.read("a.txt")).toBe("a");
});

test("an editor that goes away in the middle ends everything, and what was said is saved", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("I begin."), call("bash", { command: "echo begun; sleep 600" }));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  editor.prompt(sessionId, "wait").catch(() => undefined);
  await editor.until(
    (update) =>
      update.sessionUpdate === "tool_call_update" && JSON.stringify(update.content).includes("begun"),
  );
  expect(await editor.leave()).toBe(0);
  // The disposal of the workspace finds any process that was left.
  const roles = messagesOf(onlySession(ws)).map(({ role, origin }) => origin ?? role);
  expect(roles.filter((role) => role !== "reminder")).toEqual(["user", "assistant", "tool"]);
});

test("two sessions of two projects run at the same time, each with its own updates", async () => {
  await using server = await modelServer();
  await using one = await workspace({ "name.txt": "one" });
  await using two = await workspace({ "name.txt": "two" });
  server.when((request) => request.userTexts.join().includes("stay")).reply(hang());
  await using editor = await startEditor(one, server);
  const first = await editor.newSession(one.path);
  const second = await editor.newSession(two.path);
  const waiting = editor.prompt(first.sessionId, "stay");
  await server.waitFor(1);
  server.reply(call("read", { file_path: "name.txt" }));
  server.reply(say("It is two."));
  expect(await editor.prompt(second.sessionId, "who are you?")).toEqual({ stopReason: "end_turn" });
  expect(server.request(3).results[0]?.text).toContain("two");
  expect(editor.text("agent_message_chunk", second.sessionId)).toBe("It is two.");
  expect(editor.text("agent_message_chunk", first.sessionId)).toBe("");
  await editor.cancel(first.sessionId);
  expect(await waiting).toEqual({ stopReason: "cancelled" });
});
