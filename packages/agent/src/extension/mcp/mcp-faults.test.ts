/** Servers that are programs, and every way in which they can misbehave. */
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { leftovers, workspace } from "@pi-ts/testkit";
import { until } from "../../platform/processes/test-support/until.ts";
import type { StdioSetting } from "./server-config.ts";
import { fakeServer, heard, openHub, program } from "./test-support/open-hub.ts";

test("what is no message on stdout goes into the log and disturbs nothing [A-EXT-03][M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake", { garbage: true })]);
  await open.hub.start("all");
  expect((await open.call("fake__do", { text: "fine" })).text).toBe("fine");
  expect(open.log("fake")).toContain("stdout, no message of the protocol: Listening on port 1");
});

test.each([
  ["without a result", '{"jsonrpc":"2.0","id":ID,"result":null}', "is not of the protocol"],
  [
    "with an error that is a text",
    '{"jsonrpc":"2.0","id":ID,"error":"out of cheese"}',
    "refused the call: out of cheese",
  ],
  ["with an error that is none", '{"jsonrpc":"2.0","id":ID,"error":null}', "is not of the protocol"],
  [
    "that is no JSON",
    '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":NaN}]}}',
    "is not of the protocol",
  ],
])("an answer %s fails its call at once [M07]", async (_, text, said) => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  const outcome = await open.call("fake__do", { what: "raw", text });
  expect(outcome).toMatchObject({ outcome: "failed", isError: true });
  expect(outcome.text).toContain(said);
  expect((await open.call("fake__do", { text: "next" })).text).toBe("next");
});

test.each([
  ["in a list", '[{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}]'],
  ["without the version of the protocol", '{"id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}'],
])("an answer %s is taken as it is meant [M07]", async (_, text) => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  expect((await open.call("fake__do", { what: "raw", text })).text).toBe("fine");
});

test("a server's refusal goes through the guard against hidden text, and is cut when it is long [M05][X06]", async () => {
  await using ws = await workspace();
  const guard = (_: string, given: string) => given.replaceAll("\u{200b}", "(hidden)");
  await using open = openHub(ws, [fakeServer(ws, "fake")], { guard });
  await open.hub.start("all");
  const message = `no\u{200b} ${"x".repeat(100_000)}`;
  const text = JSON.stringify({ jsonrpc: "2.0", id: 0, error: { code: -32_000, message } }).replace(
    ":0,",
    ":ID,",
  );
  const outcome = await open.call("fake__do", { what: "raw", text });
  expect(outcome.text).toContain("more characters are left out");
  expect(outcome.text.length).toBeLessThan(6_000);
  expect(outcome.text).toContain("refused the call: no(hidden) xxx");
});

test("answers for nobody and second answers change nothing [M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  expect((await open.call("fake__do", { what: "strange-id" })).text).toBe("for you");
  expect((await open.call("fake__do", { what: "twice" })).text).toBe("first");
  expect((await open.call("fake__do", { text: "next" })).text).toBe("next");
});

test("an interrupted call returns at once, and the server is told that it is cancelled [M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  const stop = new AbortController();
  const called = open.call("fake__do", { what: "hang" }, { signal: stop.signal });
  await until(() => heard(ws, "fake").some(({ method }) => method === "tools/call"));
  stop.abort();
  expect(await called).toMatchObject({ outcome: "failed", isError: true, details: { code: "aborted" } });
  await until(() => heard(ws, "fake").some(({ method }) => method === "notifications/cancelled"));
  expect((await open.call("fake__do", { text: "still there" })).text).toBe("still there");
});

test("a call that is never answered ends at its limit, cancelled, and says which setting makes it longer [M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake", {}, { callMs: 50, mostCallMs: 100 })]);
  await open.hub.start("all");
  const outcome = await open.call("fake__do", { what: "hang" });
  expect(outcome).toMatchObject({ outcome: "failed", isError: true, details: { code: "timed_out" } });
  expect(outcome.text).toContain("no answer within 0.05 s");
  expect(outcome.text).toContain("mcp.timeout");
  await until(() => heard(ws, "fake").some(({ method }) => method === "notifications/cancelled"));
});

test("progress keeps a call alive and is shown; the limit for everything ends it all the same [M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake", {}, { callMs: 100_000, mostCallMs: 300 })]);
  await open.hub.start("all");
  let shown = "";
  const progress = (delta: string) => {
    shown += delta;
  };
  expect((await open.call("fake__do", { what: "progress" }, { progress })).text).toBe("three steps");
  expect(shown).toBe("1 of 3: step 1\n2 of 3: step 2\n3 of 3: step 3\n");
  const outcome = await open.call("fake__do", { what: "keep-busy", text: ws.at("never") });
  expect(outcome.text).toContain("no answer within 0.3 s");
});

test("a server that dies in a call is named with its exit code and last words, and is there for the next call [M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  const outcome = await open.call("fake__do", { what: "die" });
  expect(outcome).toMatchObject({
    outcome: "failed",
    isError: true,
    details: { code: "server_ended", server: "fake" },
  });
  expect(outcome.text).toBe(
    'The MCP server "fake" ended during the call (exit code 3); whether the call had an effect is not known.\nIts last words on stderr: fatal: out of cheese',
  );
  expect((await open.call("fake__do", { text: "back" })).text).toBe("back");
});

test("other calls of a server that dies fail with it, calls of other servers do not [M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "a"), fakeServer(ws, "b")]);
  await open.hub.start("all");
  const file = ws.at("go");
  const other = open.call("b__do", { what: "keep-busy", text: file });
  const [hanging] = await Promise.all([
    open.call("a__do", { what: "hang" }),
    open.call("a__do", { what: "die" }),
  ]);
  expect(hanging.details["code"]).toBe("server_ended");
  ws.write("go", "");
  expect((await other).text).toBe("done at last");
});

test("a server that keeps dying is given up after some restarts, once, with the reason [M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  for (let round = 0; round < 4; round++) await open.call("fake__do", { what: "die" });
  const outcome = await open.call("fake__do", { text: "anybody?" });
  expect(outcome).toMatchObject({ outcome: "not_looked", isError: true, details: { code: "server_down" } });
  expect(outcome.text).toContain("it ended 4 times in a row (exit code 3): fatal: out of cheese");
  expect(open.notices.filter(({ message }) => message.includes("not available"))).toHaveLength(1);
});

test("a server that closes its stdout is ended, and the call says so [M07]", async () => {
  await using ws = await workspace();
  const shell = `
    id() { printf '%s' "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/'; }
    read -r line; printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}\\n' "$(id)"
    read -r line; read -r line; printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}\\n' "$(id)"
    read -r line; exec 1>&-; sleep 600`;
  const config = program(ws, "shell", []);
  const transport = { ...config.transport, command: "/bin/sh", args: ["-c", shell] } as StdioSetting;
  await using open = openHub(ws, [{ ...config, transport }]);
  await open.hub.start("all");
  const [first] = open.processes.list();
  expect((await open.call("shell__t")).text).toContain("ended during the call (it closed its stdout)");
  await first!.exited;
});

test("a server that ends while it starts is named with its last words, and the others are there [M01]", async () => {
  await using ws = await workspace();
  const bad = fakeServer(ws, "bad", { initialize: "die", stderr: "DATABASE_URL is missing" });
  await using open = openHub(ws, [bad, fakeServer(ws, "good")]);
  await open.hub.start("all");
  expect(open.declared()).toEqual(["good__do"]);
  expect(open.notices.map(({ message }) => message).join()).toMatch(
    /the MCP server "bad" is not available: it ended while it started \(exit code 1\): DATABASE_URL is missing; its log: .*bad\.log/,
  );
});

test.each([
  ["never answers", { initialize: "never" }, "it does not answer", 1_000],
  ["refuses", { initialize: "refuse" }, "not today", 60_000],
  ["speaks a version that nobody knows", { initialize: "version" }, "protocol version", 60_000],
  [
    "answers against the protocol",
    { initialize: "nameless" },
    "its answer to initialize is not of the protocol (serverInfo: ",
    60_000,
  ],
  ["gives no list of tools", { list: null }, 'its answer to tools/list has no list: "tools" is null', 60_000],
  ["never lists its tools", { listWhen: "/nowhere/ever" }, "it does not answer", 1_000],
])(
  "a server that %s counts as failed after its limit, and nothing of it is left [M01][M08]",
  async (_, plan, why, startMs) => {
    await using ws = await workspace();
    await using open = openHub(ws, [fakeServer(ws, "bad", { ...plan }, { startMs })]);
    await open.hub.start("all");
    expect(open.hub.find("bad")).toMatchObject({ state: "failed" });
    expect(open.hub.find("bad")!.problem).toContain(why);
    await until(() => open.processes.list().length === 0);
  },
);

test("the end waits for no server that is still starting [M08][M01]", async () => {
  await using ws = await workspace();
  const open = openHub(ws, [fakeServer(ws, "silent", { initialize: "never" })]);
  const started = open.hub.start("all");
  await until(() => heard(ws, "silent").length > 0);
  await open[Symbol.asyncDispose]();
  await started;
  expect(open.hub.find("silent")!.state).toBe("off");
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a program that is not there is named, and what to do stands in the notice [M01]", async () => {
  await using ws = await workspace();
  const config = program(ws, "gone", []);
  await using open = openHub(ws, [
    { ...config, transport: { ...config.transport, command: "/no/such/program" } as never },
  ]);
  await open.hub.start("all");
  expect(open.hub.find("gone")!.problem).toContain("Cannot start /no/such/program: there is no such program");
});

test("a stubborn server and its children are gone after the end, also those of a restart [M08]", async () => {
  await using ws = await workspace();
  const config = fakeServer(ws, "stubborn", { stubborn: true, child: true });
  {
    await using open = openHub(ws, [config]);
    await open.hub.start("all");
    const first = open.processes.list()[0]!;
    expect(leftovers(ws.marker).length).toBeGreaterThanOrEqual(2);
    await open.hub.find("stubborn")!.restart();
    expect(first.survivors()).toEqual([]);
    expect((await open.call("stubborn__do", { text: "up" })).text).toBe("up");
  }
  expect(leftovers(ws.marker)).toEqual([]);
});

test("lists in pages are read whole; one without an end is cut, and the log says so [M05]", async () => {
  await using ws = await workspace();
  const tools = Array.from({ length: 24 }, (_, i) => ({ name: `t${i}`, inputSchema: { type: "object" } }));
  await using open = openHub(ws, [
    fakeServer(ws, "paged", { tools, page: 5 }),
    fakeServer(ws, "loop", { tools, page: 5, pages: "loop" }),
    fakeServer(ws, "endless", { tools, page: 5, pages: "endless" }),
  ]);
  await open.hub.start("all");
  const names = open.declared();
  for (const server of ["paged", "loop", "endless"])
    expect(names.filter((name) => name.startsWith(`${server}__`))).toHaveLength(25);
  expect(open.log("loop")).toContain("tools/list gives the same page again and again");
  expect(open.log("endless")).toContain("tools/list does not come to an end");
});

test("stderr goes into a private file that stays small, without secrets, however much comes [A-EXT-03][X05]", async () => {
  await using ws = await workspace();
  const plan = { flood: 50_000, stderr: "token=ghp_0123456789abcdefghijklmnopqrstuvwxyz known-secret-1" };
  await using open = openHub(ws, [fakeServer(ws, "loud", plan)], { secrets: ["known-secret-1"] });
  await open.hub.start("all");
  expect((await open.call("loud__do", { text: "fine" })).text).toBe("fine");
  const { log } = open.hub.find("loud")!;
  log.flush();
  const { size, mode } = statSync(log.path);
  expect(size).toBeLessThanOrEqual(1024 * 1024 + 128 * 1024);
  expect(mode & 0o777).toBe(0o600);
  const text = readFileSync(log.path, "utf8");
  expect(text).toContain("stderr: token=[redacted] [redacted]");
  expect(text).not.toContain("ghp_");
});
