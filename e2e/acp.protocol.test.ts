/** The edges of `pi acp`: what it says of itself, what it refuses, what it is sent, and how it ends. */
import { expect, test } from "bun:test";
import { methods } from "@agentclientprotocol/sdk";
import { call, fail, hang, modelServer, say, stop, TINY_PNG, workspace } from "@pi-ts/testkit";
import { Editor, startEditor } from "./support/acp.ts";
import { fakeEntry, userConfig } from "./support/mcp.ts";
import { builtPi, pi } from "./support/pi.ts";
import { sessionsOf } from "./support/state.ts";

test("an editor of a newer protocol is answered with the version that pi speaks, and what it can do", async () => {
  await using ws = await workspace();
  await using editor = new Editor(ws, undefined, {});
  const facts = await editor.request(methods.agent.initialize, { protocolVersion: 99 });
  expect(facts).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: "pi" },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
  });
  expect(facts.authMethods?.[0]).toMatchObject({ id: "pi-login", name: "pi login" });
  expect(facts.authMethods?.[0]).not.toHaveProperty("type");
});

test("an editor that can start a terminal is told to log in there", async () => {
  await using ws = await workspace();
  await using editor = new Editor(ws, undefined, {});
  const { authMethods } = await editor.initialize({ auth: { terminal: true } });
  expect(authMethods).toMatchObject([{ type: "terminal", args: ["login"] }]);
  const older = await editor.initialize({ _meta: { "terminal-auth": true } });
  expect(older.authMethods).toMatchObject([
    { _meta: { "terminal-auth": { command: builtPi(), args: ["login"], label: "pi login" } } },
  ]);
});

test("what an editor appends for a login starts the login, whatever stands before it", async () => {
  await using ws = await workspace();
  const [appended, plain] = await Promise.all([
    pi(ws, ["acp", "--model", "x/y", "login", "--status"]),
    pi(ws, ["login", "--status"]),
  ]);
  expect(plain.stdout).toContain("nobody is logged in");
  expect([appended.code, appended.stdout, appended.stderr]).toEqual([plain.code, plain.stdout, plain.stderr]);
});

test("without a key a session is refused as one that needs a login, with what to do", async () => {
  await using ws = await workspace();
  await using editor = await startEditor(ws, undefined, { env: { OLLAMA_HOST: "127.0.0.1:1" } });
  const refused = expect.objectContaining({
    code: -32000,
    message: expect.stringContaining("ANTHROPIC_API_KEY"),
  });
  expect(await rejection(editor.newSession(ws.path))).toEqual(refused);
  expect(await rejection(editor.request(methods.agent.authenticate, { methodId: "pi-login" }))).toEqual(
    refused,
  );
});

test("a key that the service refuses ends the prompt as a login that is needed", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(fail(401));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  expect(await rejection(editor.prompt(sessionId, "go"))).toMatchObject({
    code: -32000,
    data: { code: "auth" },
  });
});

test("a service that fails ends the prompt with an error that says why, and the session goes on", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(
    fail(400, {
      body: { type: "error", error: { type: "invalid_request_error", message: "no such beast" } },
    }),
  );
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  expect(await rejection(editor.prompt(sessionId, "go"))).toMatchObject({
    code: -32603,
    message: expect.stringContaining("no such beast"),
  });
  server.reply(say("better"));
  expect(await editor.prompt(sessionId, "again")).toEqual({ stopReason: "end_turn" });
});

test.each([
  ["a folder that is not there", { cwd: "/nowhere/at/all", mcpServers: [] }, "/nowhere/at/all"],
  ["a folder that is relative", { cwd: "src", mcpServers: [] }, "src"],
  ["a second folder", { cwd: "/tmp", mcpServers: [], additionalDirectories: ["/var"] }, "one folder"],
])("%s is refused as wrong parameters, with the value", async (_what, params, words) => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using editor = await startEditor(ws, server);
  expect(await rejection(editor.request(methods.agent.session.new, params))).toMatchObject({
    code: -32602,
    message: expect.stringContaining(words),
  });
});

test("a session that there is not, sound, and an unknown mode are refused", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using editor = await startEditor(ws, server);
  expect(await rejection(editor.prompt("nosuchid", "go"))).toMatchObject({ code: -32002 });
  const load = { sessionId: "nosuchid", cwd: ws.path, mcpServers: [] };
  expect(await rejection(editor.request(methods.agent.session.load, load))).toMatchObject({ code: -32002 });
  const { sessionId } = await editor.newSession(ws.path);
  const sound = { type: "audio" as const, data: "AAAA", mimeType: "audio/wav" };
  expect(await rejection(editor.prompt(sessionId, [sound]))).toMatchObject({ code: -32602 });
  const mode = editor.request(methods.agent.session.setMode, { sessionId, modeId: "wild" });
  expect(await rejection(mode)).toMatchObject({ code: -32602, message: expect.stringContaining("wild") });
});

test("a second prompt while one is answered is refused and does not disturb the first", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(hang());
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  const first = editor.prompt(sessionId, "stay");
  await server.waitFor(1);
  expect(await rejection(editor.prompt(sessionId, "me too"))).toMatchObject({
    code: -32600,
    data: { code: "busy" },
  });
  await editor.cancel(sessionId);
  expect(await first).toEqual({ stopReason: "cancelled" });
});

test("pictures, links and embedded files of a prompt reach the model", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("seen"));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  await editor.prompt(sessionId, [
    { type: "text", text: "compare " },
    { type: "resource_link", uri: `file://${ws.path}/src/one.ts#L3:9`, name: "one.ts" },
    { type: "text", text: " with " },
    {
      type: "resource",
      resource: { uri: `file://${ws.path}/not%20saved.ts`, text: "const a = '```';", mimeType: "text/plain" },
    },
    { type: "image", mimeType: "image/png", data: TINY_PNG },
  ]);
  const [said] = server.request(1).userTexts.slice(-1);
  expect(said).toBe(
    "compare [one.ts](src/one.ts:3-9) with `not saved.ts`\n\nContent of `not saved.ts`:\n````\nconst a = '```';\n````",
  );
  expect(server.request(1).userImages).toEqual([{ mimeType: "image/png", data: TINY_PNG }]);
});

test("a new file, a file that is replaced, and a picture that is read are shown as what they are", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "old.txt": "before\n", "dot.png": Buffer.from(TINY_PNG, "base64") });
  server.reply(
    call("write", { file_path: "new.txt", content: "new\n" }),
    call("read", { file_path: "old.txt" }),
    call("read", { file_path: "dot.png" }),
  );
  server.reply(call("write", { file_path: "old.txt", content: "after\n" }));
  server.reply(say("done"));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  await editor.prompt(sessionId, "go");
  const content = editor
    .updates("tool_call_update")
    .filter(({ status }) => status === "completed")
    .flatMap((update) => update.content ?? []);
  expect(content).toContainEqual({ type: "diff", path: ws.at("new.txt"), oldText: null, newText: "new\n" });
  expect(content).toContainEqual({
    type: "diff",
    path: ws.at("old.txt"),
    oldText: "before\n",
    newText: "after\n",
  });
  expect(content).toContainEqual({
    type: "content",
    content: { type: "image", mimeType: "image/png", data: TINY_PNG },
  });
});

test("the plan of a spec is shown as a plan, with what is done and what comes next", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const plan = "# Plan\n- [x] Slice 1: parse\n- [ ] Slice 2: print\n  - [ ] detail\n- [ ] Slice 3: ship\n";
  server.reply(call("write", { file_path: "specs/tool/plan.md", content: plan }));
  server.reply(say("planned"));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  await editor.prompt(sessionId, "plan it");
  expect(editor.updates("plan")).toEqual([
    {
      sessionUpdate: "plan",
      entries: [
        { content: "Slice 1: parse", priority: "medium", status: "completed" },
        { content: "Slice 2: print", priority: "medium", status: "in_progress" },
        { content: "Slice 3: ship", priority: "medium", status: "pending" },
      ],
    },
  ]);
});

test("model and thinking are chosen by the editor, and the window's use is told", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using editor = await startEditor(ws, server);
  const { sessionId, configOptions } = await editor.newSession(ws.path);
  expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ["mode", "mode"],
    ["model", "model"],
    ["thinking", "thought_level"],
  ]);
  await editor.until((update) => update.sessionUpdate === "config_option_update");
  const set = (configId: string, value: string) =>
    editor.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
  await set("model", "anthropic/test-model");
  const { configOptions: after } = await set("thinking", "high");
  expect(after.map((option) => option.currentValue)).toEqual(["default", "anthropic/test-model", "high"]);
  server.reply(say("hello"));
  await editor.prompt(sessionId, "hi");
  expect(server.request(1).model).toBe("test-model");
  expect(editor.updates("usage_update")).toMatchObject([
    { used: expect.any(Number), size: expect.any(Number) },
  ]);
  expect(await rejection(set("model", "nosuch/model"))).toMatchObject({ code: -32602 });
});

test("sessions are listed by folder, resumed without their history, closed and deleted", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using other = await workspace();
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  server.reply(say("one"));
  await editor.prompt(sessionId, "first words");
  expect(editor.updates("session_info_update")).toMatchObject([{ title: "first words" }]);
  const list = async (cwd?: string) =>
    (await editor.request(methods.agent.session.list, cwd === undefined ? {} : { cwd })).sessions;
  expect(await list(ws.path)).toMatchObject([{ sessionId, cwd: ws.path, title: "first words" }]);
  expect(await list()).toHaveLength(1);
  expect(await list(other.path)).toEqual([]);
  await editor.request(methods.agent.session.close, { sessionId });
  expect(await rejection(editor.prompt(sessionId, "gone"))).toMatchObject({ code: -32002 });
  const before = editor.told.length;
  await editor.request(methods.agent.session.resume, { sessionId, cwd: ws.path });
  expect(editor.told.slice(before).some(({ update }) => /chunk/.test(update.sessionUpdate))).toBe(false);
  server.reply(say("two"));
  await editor.prompt(sessionId, "more");
  expect(server.request(2).userTexts).toContain("first words");
  await editor.request(methods.agent.session.delete, { sessionId });
  expect(await list()).toEqual([]);
  expect(sessionsOf(ws)).toEqual([]);
});

test("a question of a tool server is put to the editor's person as a form", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  await using editor = new Editor(ws, server, {});
  const forms: unknown[] = [];
  editor.answerForms((request) => {
    forms.push(request);
    return { action: "accept", content: { answer: forms.length === 1 ? "0" : "Ada" } };
  });
  await editor.initialize({ elicitation: { form: {} } });
  const { sessionId } = await editor.newSession(ws.path, [{ name: "asker", ...fakeEntry(), env: [] }]);
  const form = {
    message: "Who are you?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  };
  server.reply(call("asker__do", { what: "elicit", text: JSON.stringify(form) }));
  server.reply(say("done"));
  await editor.prompt(sessionId, "ask");
  expect(server.request(2).results[0]?.text).toContain('"name":"Ada"');
  expect(forms).toMatchObject([
    { sessionId, message: expect.stringContaining("Who are you?") },
    { sessionId },
  ]);
});

test("nothing but the protocol is on stdout, also when tools, hooks and servers are noisy [H03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, {
    mcp: { startupWait: 60 },
    hooks: [{ event: "before_tool", command: "echo hook noise" }],
    nonsense: true,
  });
  await using editor = await startEditor(ws, server);
  const entry = { name: "noisy", ...fakeEntry({ garbage: true, stderr: "server noise" }), env: [] };
  const { sessionId } = await editor.newSession(ws.path, [entry]);
  server.reply(call("bash", { command: "printf 'a\\u2028b\\n'; echo err >&2" }));
  server.reply(say("a\u2028b\u0085c"));
  await editor.prompt(sessionId, "go");
  editor.writeLine("{broken");
  editor.writeLine("[]");
  editor.writeLine('{"jsonrpc":"2.0","id":"odd","method":"no/such"}');
  await editor.untilStdout('"id":"odd"');
  expect(await editor.leave()).toBe(0);
  expect(editor.stdout).not.toMatch(/[\u2028\u0085]/);
  const lines = editor.stdout.split("\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  expect(editor.stdout).toContain('"id":"odd","error":{"code":-32601');
  expect(editor.text()).toBe("a\u2028b\u0085c");
});

test("a signal ends pi in order, with what runs", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "sleep 600" }));
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  editor.prompt(sessionId, "wait").catch(() => undefined);
  await editor.until((update) => update.sessionUpdate === "tool_call");
  editor.kill("SIGTERM");
  expect(await editor.exited).toBe(143);
  expect(sessionsOf(ws)).toHaveLength(1);
});

test("--mode acp serves an editor as pi acp does", async () => {
  await using ws = await workspace();
  await using editor = new Editor(ws, undefined, { argv: ["--mode", "acp"] });
  expect(await editor.initialize()).toMatchObject({ protocolVersion: 1 });
});

test.each([
  [["--mode", "acp", "fix", "it"], '--mode acp takes no prompt, but got "fix it"'],
  [["--mode", "acp", "-p"], "--mode acp takes no prompt, but got -p"],
  [["--mode", "acp", "-c"], "--continue is nothing for --mode acp"],
  [["acp", "--continue"], "--continue is nothing for --mode acp"],
  [["acp", "--session", "x"], "--session is nothing for --mode acp"],
  [["acp", "--name", "x"], "--name is nothing for --mode acp"],
])("%j is refused: prompts and sessions are the editor's [H03]", async (argv, says) => {
  await using ws = await workspace();
  await using wrong = new Editor(ws, undefined, { argv });
  expect(await wrong.exited).toBe(2);
  expect({ stdout: wrong.stdout, told: wrong.stderr.includes(says) }).toEqual({ stdout: "", told: true });
});

test("an answer that the service refuses to go on with is a refusal, and the prompt is no part of the conversation any more", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  server.reply(say("I would"), stop("filtered"));
  expect(await editor.prompt(sessionId, "a forbidden thing")).toEqual({ stopReason: "refusal" });
  server.reply(say("hello"));
  expect(await editor.prompt(sessionId, "hi")).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(server.request(2).body)).not.toContain("a forbidden thing");
  const before = editor.told.length;
  await editor.request(methods.agent.session.load, { sessionId, cwd: ws.path, mcpServers: [] });
  const replayed = JSON.stringify(editor.told.slice(before));
  expect([replayed.includes("forbidden"), replayed.includes("hello")]).toEqual([false, true]);
});

test("the use of the window is told from the first answer on, also of a model that no list has", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  await editor.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: "model",
    value: "anthropic/a-model-of-tomorrow",
  });
  server.reply(say("hello"));
  await editor.prompt(sessionId, "hi");
  expect(editor.updates("usage_update")).toMatchObject([
    { used: expect.any(Number), size: expect.any(Number) },
  ]);
});

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => {
      throw new Error(`it was not refused: ${JSON.stringify(value)}`);
    },
    (thrown: unknown) => thrown,
  );
}
