/** Sessions across processes: which one is continued, who may write it, what is left on disk. */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { eventsOf } from "./support/events.ts";
import { pi, startPi, TEST_KEY } from "./support/pi.ts";
import { logEntries, messagesOf, onlySession, sessionsOf, stateFolder } from "./support/state.ts";

test("--continue takes up the newest session of this folder, not another folder's [A-SESS-04][C09]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("ok")]);
  await pi(ws, ["-p", "here, first"], { server });
  await pi(ws, ["-p", "here, second"], { server });
  await pi(ws, ["-p", "elsewhere"], { server, cwd: ws.outside });
  const result = await pi(ws, ["-c", "-p", "go on"], { server });
  expect(result.code).toBe(0);
  const texts = server.request(4).userTexts;
  expect(texts).toContain("here, second");
  expect(texts.at(-1)).toBe("go on");
  expect(texts.join()).not.toMatch(/first|elsewhere/);
  expect(sessionsOf(ws)).toHaveLength(3);
});

test("--session takes an id or a unique beginning of one, from any folder, and says where it began [A-SESS-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("ok")]);
  await pi(ws, ["-p", "begin"], { server });
  const { id } = onlySession(ws);
  const short = await pi(ws, ["--session", id.slice(0, 8), "-p", "more"], { server, cwd: ws.outside });
  expect({ code: short.code, stdout: short.stdout }).toEqual({ code: 0, stdout: "ok\n" });
  expect(short.stderr).toContain(`was begun in ${ws.path}`);
  expect(server.request(2).userTexts).toContain("begin");
  await pi(ws, ["-p", "another"], { server });
  const common = commonStart(sessionsOf(ws).map((session) => session.id));
  const both = await pi(ws, ["--session", common, "-p", "which?"], { server });
  expect(both.code).toBe(2);
  expect(both.stderr).toContain(id);
});

function commonStart([first = "", ...others]: string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

test("a second process on a running session is refused with what to do, and the first one loses nothing [C03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const held = Promise.withResolvers<void>();
  server.reply(say("half "), { kind: "hold", until: held.promise }, say("whole"));
  await using running = startPi(ws, ["--mode", "json", "-p", "go"], { server });
  await running.waitForOutput(/"delta":"half "/);
  const { id } = onlySession(ws);
  for (const argv of [["-c"], ["--session", id]]) {
    const second = await pi(ws, [...argv, "-p", "me too"], { server });
    expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 1, stdout: "" });
    expect(second.stderr).toContain(`in use by process ${running.pid}`);
    expect(second.stderr).toMatch(/Wait until process \d+ ends/);
  }
  held.resolve();
  expect((await running.exited).code).toBe(0);
  expect(eventsOf(running).at(-1)?.["text"]).toBe("half whole");
  const kept = messagesOf(onlySession(ws)).at(-1)!;
  expect(kept.parts.map((part) => part.text).join("")).toBe("half whole");
  server.reply(say("free"));
  expect((await pi(ws, ["-c", "-p", "now?"], { server })).stdout).toBe("free\n");
});

test("a lock of a process that was killed holds nobody up [C03][C01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("half"), { kind: "hang" });
  await using running = startPi(ws, ["--mode", "json", "-p", "go"], { server });
  await running.waitForOutput(/"delta":"half"/);
  running.kill("SIGKILL");
  await running.exited;
  server.reply(say("on"));
  const next = await pi(ws, ["-c", "-p", "go on"], { server });
  expect({ code: next.code, stdout: next.stdout, stderr: next.stderr }).toEqual({
    code: 0,
    stdout: "on\n",
    stderr: "",
  });
});

test("--no-session leaves nothing behind but the day's token count", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one" }, { git: true });
  const before = ws.snapshot();
  server.reply(call("bash", { command: "seq 1 60000" }), call("read", { file_path: "a.txt" }));
  server.reply(say("ok"));
  expect((await pi(ws, ["--no-session", "-p", "go"], { server })).code).toBe(0);
  expect(ws.snapshot()).toEqual(before);
  expect(Object.keys(ws.snapshotOf("home"))).toEqual([".pi-go", ".pi-go/usage.json"]);
  expect(ws.snapshotOf("temp")).toEqual({});
});

test("a resume runs the session's own model; a flag wins; one that cannot run is told and replaced [C12]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("ok")]);
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: TEST_KEY };
  await pi(ws, ["--model", "anthropic/claude-opus-5-5", "-p", "one"], { env });
  await pi(ws, ["-c", "-p", "two"], { env });
  await pi(ws, ["-c", "--model", "anthropic/claude-haiku-4-5", "-p", "three"], { env });
  await pi(ws, ["-c", "-p", "four"], { env });
  expect(server.requests.map((request) => request.model)).toEqual([
    "claude-opus-5-5",
    "claude-opus-5-5",
    "claude-haiku-4-5",
    "claude-haiku-4-5",
  ]);
  const other = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: TEST_KEY };
  const replaced = await pi(ws, ["-c", "-p", "five"], { env: other });
  expect(replaced.code).toBe(0);
  expect(replaced.stderr).toMatch(/claude-haiku-4-5.*cannot run now.*goes on with openai\//);
  expect(server.request(5).wire).toBe("openai-responses");
});

test("instruction files reach the system text in order: the user's, the repository's, the folder's [A-CONF-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(
    {
      "AGENTS.md": "rule of the top",
      "sub/AGENTS.md": "rule of the folder",
      "sub/x.txt": "",
      "other/AGENTS.md": "rule of others",
    },
    { git: true },
  );
  ws.write(join(stateFolder(ws), "AGENTS.md"), "rule of the user");
  server.reply(say("ok"));
  server.reply(say("ok"));
  const cwd = join(ws.path, "sub");
  await pi(ws, ["--append-system", "rule of the flag", "-p", "go"], { server, cwd });
  const system = server.request(1).system;
  const places = ["rule of the user", "rule of the top", "rule of the folder", "rule of the flag"].map(
    (rule) => system.indexOf(rule),
  );
  expect(places.every((place) => place > 0)).toBe(true);
  expect([...places].sort((a, b) => a - b)).toEqual(places);
  expect(system).not.toContain("rule of others");
  await pi(ws, ["--no-context-files", "--system", "only this", "-p", "go"], { server, cwd });
  expect(server.request(2).system).toContain("only this");
  expect(server.request(2).system).not.toContain("rule of");
});

test("the log tells the run as JSON lines, and the day's count adds up over processes [A-LOG-01][A-LOG-02][A-GUARD-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one" });
  server.reply(say("I look."), call("read", { file_path: "a.txt" }));
  server.reply(say("It says one."));
  server.reply(say("again"));
  await pi(ws, ["-p", "what is in a.txt?"], { server });
  await pi(ws, ["-c", "-p", "again"], { server });
  const entries = logEntries(ws);
  expect(entries[0]).toMatchObject({
    type: "session_start",
    session: onlySession(ws).id,
    model: "anthropic/claude-opus-5-5",
    mode: "print",
  });
  const types = entries.map((entry) => entry["type"]).filter((type) => type !== "info");
  expect(types).toEqual([
    "session_start",
    "user",
    "llm_text",
    "tool_call",
    "tool_result",
    "llm_text",
    "session_start",
    "user",
    "llm_text",
  ]);
  const file = readFileSync(join(stateFolder(ws), "usage.json"), "utf8");
  const usage = JSON.parse(file) as Record<string, number>;
  const { input, cache_read, cache_write, output, requests } = server.bill;
  expect(usage).toMatchObject({ requests, output_tokens: output });
  // Tokens read from a cache weigh what they cost beside fresh ones.
  expect(usage["input_tokens"]).toBeGreaterThan(input + cache_write);
  expect(usage["input_tokens"]).toBeLessThan(input + cache_write + cache_read / 2);
});

/** A home on a file system of 1 MB, where the machine allows a test to mount one. */
function smallHome(ws: Workspace): { path: string } & Disposable {
  const path = join(ws.home, "small");
  mkdirSync(path);
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]);
  return { path, [Symbol.dispose]: () => void spawnSync("umount", [path]) };
}

const canMount =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

test.if(canMount)(
  "with a full disk the answer is still shown, the loss is named, and the exit code is not 0 [B10]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({ "big.txt": `${"0123456789".repeat(9)}\n`.repeat(1_000) });
    using home = smallHome(ws);
    for (let page = 0; page < 14; page++)
      server.reply(
        call("bash", { command: `echo ${page}; cat big.txt` }),
        call("read", { file_path: "big.txt" }),
      );
    server.reply(say("the answer"));
    const result = await pi(ws, ["-p", "go"], { server, env: { HOME: home.path } });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 1, stdout: "the answer\n" });
    expect(result.stderr).toMatch(/no space left|disk is full|ENOSPC/i);
    // What was written before is whole: a torn last line costs that line only.
    const [id] = readdirSync(join(home.path, ".pi-go", "sessions"));
    const lines = readFileSync(join(home.path, ".pi-go", "sessions", id!, "events.jsonl"), "utf8").split(
      "\n",
    );
    for (const line of lines.slice(0, -1)) JSON.parse(line);
  },
);

test.if(canMount)(
  "a write to a full disk leaves the old file as it was and says so to the model [B10][F10]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    using small = smallHome(ws);
    const project = join(small.path, "project");
    ws.write(join(project, "a.txt"), "old\n");
    ws.write(join(project, "filler"), new Uint8Array(900_000));
    server.reply(call("read", { file_path: "a.txt" }));
    server.reply(call("write", { file_path: "a.txt", content: "new\n".repeat(100_000) }));
    server.reply(say("ok"));
    await pi(ws, ["-p", "go"], { server, cwd: project });
    expect(server.request(3).results.at(-1)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/no space left|disk is full/i),
    });
    expect(ws.read(join(project, "a.txt"))).toBe("old\n");
    expect(readdirSync(project).sort()).toEqual(["a.txt", "filler"]);
  },
);
