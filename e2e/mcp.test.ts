/** MCP servers in runs without a terminal. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  call,
  leftovers,
  type ModelServer,
  modelServer,
  say,
  testProgram,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { oauthServer } from "../packages/agent/src/extension/mcp/test-support/oauth-server.ts";
import { address, openHub } from "../packages/agent/src/extension/mcp/test-support/open-hub.ts";
import { eventsOf, ofType } from "./support/events.ts";
import { fakeEntry, largeEntry, userConfig, userServers } from "./support/mcp.ts";
import { anyPi, type PiOptions, pi, startPi, WIRES } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

const EVERYTHING = testProgram("@modelcontextprotocol/server-everything/dist/index.js");
const FILES = testProgram("@modelcontextprotocol/server-filesystem/dist/index.js");
const MEMORY = testProgram("@modelcontextprotocol/server-memory/dist/index.js");

/** The names of the tools that a request declares. */
function toolsOf(server: ModelServer, request: number): string[] {
  return server.request(request).tools.map(({ name }) => name);
}

/** As a configuration names a variable. */
function variable(name: string): string {
  return `\${${name}}`;
}

function run(ws: Workspace, words: string[], server: ModelServer, more: Partial<PiOptions> = {}) {
  return pi(ws, words, { server, entrance: anyPi(), ...more });
}

test.skipIf(EVERYTHING === null)(
  "three real servers lend their tools in one run: echo, files and a memory [A-EXT-03] (needs test-programs)",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({ "note.txt": "from the disk" });
    const bun = (...args: string[]) => ({ command: process.execPath, args: ["--no-env-file", ...args] });
    userServers(ws, {
      every: bun(EVERYTHING!),
      files: bun(FILES!, ws.path),
      memory: { ...bun(MEMORY!), env: { MEMORY_FILE_PATH: ws.at("memory.jsonl") } },
    });
    userConfig(ws, { mcp: { startupWait: 60 } });
    server.reply(
      call("every__get-sum", { a: 2, b: 40 }),
      call("files__read_text_file", { path: ws.at("note.txt") }),
      call("memory__create_entities", {
        entities: [{ name: "Ann", entityType: "person", observations: ["likes tea"] }],
      }),
    );
    server.reply(say("done"));
    expect(await run(ws, ["-p", "go"], server)).toMatchObject({ code: 0, stdout: "done\n" });
    const [sum, file, memory] = server.request(2).results;
    expect(sum?.text).toBe("The sum of 2 and 40 is 42.");
    expect(file?.text).toBe("from the disk");
    expect(memory?.text).toContain("Ann");
    expect(ws.read("memory.jsonl")).toContain("likes tea");
  },
);

test("a dead and a silent server hold up no run for longer than mcp.startupWait; the good one's tools are there [M01][A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, {
    good: fakeEntry(),
    silent: fakeEntry({ initialize: "never" }),
    dead: fakeEntry({ initialize: "die", stderr: "no database" }),
  });
  // The good one comes at its own pace; only the silent one makes the run wait to the end.
  userConfig(ws, { mcp: { startupWait: 5 } });
  server.reply(say("done"));
  const result = await run(ws, ["-p", "go"], server);
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  expect(toolsOf(server, 1).filter((name) => name.includes("__"))).toEqual(["good__do"]);
  expect(result.stderr).toContain(
    'the MCP server "dead" is not available: it ended while it started (exit code 1): no database',
  );
  expect(result.stderr).toContain('the MCP server "silent" has not listed its tools within 5 s');
  expect(leftovers(ws.marker)).toEqual([]);
});

test("the second start declares the same tools byte for byte, whatever their order, and starts no server that it does not need [P17][M01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const tools = ["c", "a", "b"].map((name) => ({ name, inputSchema: { type: "object" } }));
  userServers(ws, { one: fakeEntry({ tools, heard: ws.at("heard.jsonl") }) });
  userConfig(ws, { mcp: { startupWait: 60 } });
  server.reply(say("first"));
  await run(ws, ["-p", "go"], server);
  const heard = ws.read("heard.jsonl");
  server.reply(say("second"));
  expect((await run(ws, ["-p", "go"], server)).stdout).toBe("second\n");
  expect(JSON.stringify(server.request(2).field("tools"))).toBe(
    JSON.stringify(server.request(1).field("tools")),
  );
  expect(toolsOf(server, 2).slice(-4)).toEqual(["one__a", "one__b", "one__c", "one__do"]);
  expect(heard).toContain("initialize");
});

test.each(WIRES)(
  "odd schemas reach the service of the wire %s in a form that it takes [M03]",
  async (wire) => {
    await using server = await modelServer();
    await using ws = await workspace();
    const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
    const schemas: unknown[] = [
      {
        type: "object",
        properties: { a: { type: ["string", "null"] }, b: { $ref: "#/$defs/node" } },
        $defs: { node },
      },
      { anyOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "null" }] },
      {
        type: "object",
        properties: {},
        additionalProperties: false,
        $schema: "http://json-schema.org/draft-04/schema#",
      },
      {
        properties: {
          n: { minimum: 1, exclusiveMinimum: true, type: "integer" },
          any: true,
          list: { type: "array" },
        },
      },
      { type: "object", properties: { big: { type: "string", description: "x".repeat(200_000) } } },
      { type: "object", properties: { one: { const: "a" }, date: { type: "string", format: "date-time" } } },
      "nonsense",
      null,
    ];
    const tools = schemas.map((inputSchema, index) => ({ name: `odd${index}`, inputSchema }));
    userServers(ws, { s: largeEntry(ws, { tools }) });
    userConfig(ws, { mcp: { startupWait: 60 } });
    server.reply(call("s__odd0", { a: null }));
    server.reply(say("done"));
    const result = await run(ws, ["-p", "go"], server, { wire });
    expect(result).toMatchObject({ code: 0, stdout: "done\n" });
    expect(toolsOf(server, 1).filter((name) => name.startsWith("s__odd"))).toEqual(
      [0, 1, 2, 3, 4, 5, 7].map((index) => `s__odd${index}`),
    );
    expect(result.stderr).toContain("not used: odd6");
  },
);

test("400 tools cost at most the budget; the right one is found by search, called, and falls under its own rules [M05][X02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const tools = Array.from({ length: 400 }, (_, index) => ({
    name: `tool_${index}`,
    description: `${index === 321 ? "Waters the plants in the greenhouse. " : ""}${"Words about something else. ".repeat(75)}`,
    inputSchema: { type: "object", properties: { litres: { type: "integer" } }, required: ["litres"] },
  }));
  userServers(ws, { farm: largeEntry(ws, { tools }) });
  userConfig(ws, { mcp: { startupWait: 60 }, permissions: { deny: ["farm__tool_7"] } });
  server.reply(call("mcp-search", { query: "water the plants" }));
  server.reply(
    call("mcp-call", { tool: "farm__tool_321", arguments: { litres: "5" } }),
    call("mcp-call", { tool: "farm__tool_7", arguments: { litres: 1 } }),
    call("mcp-call", { tool: "farm__tool_321", arguments: { litres: "much" } }),
  );
  server.reply(say("done"));
  const result = await run(ws, ["--mode", "json", "-p", "go"], server);
  const declared = server.request(1).field("tools") as { name: string }[];
  const ours = declared.filter(({ name }) => name.startsWith("mcp-") || name.includes("__"));
  expect(ours.map(({ name }) => name)).toEqual(["mcp-search", "mcp-call"]);
  expect(JSON.stringify(ours).length).toBeLessThan(8_000);
  expect(server.request(2).results[0]?.text).toStartWith("farm__tool_321\nWaters the plants");
  const [watered, denied, wrong] = server.request(3).results.slice(-3);
  expect(watered?.text).toBe('{"litres":5}');
  expect(denied?.text).toContain("farm__tool_7");
  expect(denied?.text).not.toContain('"litres"');
  expect(wrong?.text).toContain("The call of farm__tool_321 was not run: its arguments do not fit.");
  expect(ofType(eventsOf(result), "tool_call").map((event) => event["tool_name"])).toEqual([
    "mcp-search",
    "farm__tool_321",
    "farm__tool_7",
    "mcp-call",
  ]);
});

test.if(process.platform !== "win32").each(["SIGTERM", "SIGKILL"] as const)(
  "after %s to the agent in the middle of a call nothing is left of a stubborn server and its child [M08]",
  async (signal) => {
    await using server = await modelServer();
    await using ws = await workspace();
    userServers(ws, { s: fakeEntry({ stubborn: true, child: true, heard: ws.at("heard.jsonl") }) });
    userConfig(ws, { mcp: { startupWait: 60 } });
    server.reply(call("s__do", { what: "hang" }));
    await using running = startPi(ws, ["--mode", "json", "-p", "go"], { server, entrance: anyPi() });
    await running.waitForOutput(/"type":"tool_call"/);
    while (!ws.read("heard.jsonl").includes("tools/call"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(leftovers(ws.marker).length).toBeGreaterThanOrEqual(3);
    running.kill(signal);
    await running.exited;
    // After a SIGKILL a watchdog cleans up, which takes its moment.
    while (leftovers(ws.marker).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  },
);

test("nothing of a project's .mcp.json runs before it is trusted; with --trust it does; a changed byte asks anew [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(
    ".mcp.json",
    JSON.stringify({ mcpServers: { theirs: fakeEntry({ heard: ws.at("heard.jsonl") }) } }),
  );
  userConfig(ws, { mcp: { startupWait: 60 } });
  server.otherwise(() => [say("ok")]);
  const without = await run(ws, ["-p", "go"], server);
  expect(without.stderr).toContain(".mcp.json is not trusted, so nothing in it acts");
  expect(ws.exists("heard.jsonl")).toBe(false);
  expect(toolsOf(server, 1)).not.toContain("theirs__do");
  await run(ws, ["--trust", "-p", "go"], server);
  expect(toolsOf(server, 2)).toContain("theirs__do");
});

test("a project's server gets its variables, but never the key of a model service [X01][X05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const entry = (name: string) => ({
    ...fakeEntry({ heard: ws.at(`${name}.jsonl`) }),
    env: { GIVEN: variable(name) },
  });
  ws.write(
    ".mcp.json",
    JSON.stringify({
      mcpServers: {
        keys: entry("ANTHROPIC_API_KEY"),
        own: entry("CORP_LLM"),
        own2: entry("GATEWAY_API_KEY"),
        fine: entry("SOME_SETTING"),
        absent: entry("NOT_SET_AT_ALL"),
      },
    }),
  );
  const baseUrl = server.baseUrl("openai-chat");
  const providers = {
    corp: { baseUrl, wire: "openai-chat", apiKey: "$CORP_LLM" },
    gateway: { baseUrl, wire: "openai-chat" },
  };
  userConfig(ws, { mcp: { startupWait: 60 }, providers });
  server.reply(call("fine__do", { what: "environment" }));
  server.reply(say("ok"));
  const env = { SOME_SETTING: "blue", CORP_LLM: "corp-0123456789", GATEWAY_API_KEY: "gate-0123456789" };
  const { stderr } = await run(ws, ["--trust", "-p", "go"], server, { env });
  expect(toolsOf(server, 1).filter((name) => name.includes("__"))).toEqual(["fine__do"]);
  expect(JSON.parse(server.request(2).results[0]!.text)).toMatchObject({ GIVEN: "blue" });
  expect(server.request(2).results[0]!.text).not.toContain("sk-ant-");
  for (const [name, key] of [
    ["keys", "ANTHROPIC_API_KEY"],
    ["own", "CORP_LLM"],
    ["own2", "GATEWAY_API_KEY"],
  ])
    expect(stderr).toContain(
      `the MCP server "${name}" is not started: the variable ${key} is not set (a project's server does not get keys of model services)`,
    );
  expect(stderr).toContain('the MCP server "absent" is not started: the variable NOT_SET_AT_ALL is not set');
});

test("variables come from the user's .env, too, with defaults; a broken entry is named with its line and costs no other [A-CONF-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), ".env"), "WEATHER_TOKEN=from-the-file\n");
  const good = {
    ...fakeEntry(),
    env: { A: variable("WEATHER_TOKEN"), B: variable("NOT_THERE:-else") },
    cwd: "~/",
  };
  ws.write(
    join(stateFolder(ws), "mcp.json"),
    `{\n  // servers\n  "mcpServers": {\n    "broken": { "args": ["x"] },\n    "good": ${JSON.stringify(good)},\n    "list": { "command": "x", "args": "y" }\n  }\n}\n`,
  );
  userConfig(ws, {
    mcp: { startupWait: 60, servers: [{ name: "off", command: "nothing", disabled: true }] },
  });
  server.reply(call("good__do", { what: "environment" }));
  server.reply(say("ok"));
  const { stderr } = await run(ws, ["-p", "go"], server);
  expect(JSON.parse(server.request(2).results[0]!.text)).toMatchObject({
    A: "from-the-file",
    B: "else",
    cwd: ws.home,
  });
  expect(stderr).toContain(
    'mcp.json:4: the MCP server "broken" is ignored: it needs either "command" or "url"',
  );
  expect(stderr).toContain('mcp.json:6: the MCP server "list" is ignored: "args" must be a list of texts');
  expect(stderr).not.toContain('"off"');
});

test("noise of servers stays out of stdout and stderr, and lies in a private log [H03][A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, { loud: fakeEntry({ garbage: true, flood: 200, stderr: "MY_SECRET=hunter2hunter2" }) });
  userConfig(ws, { mcp: { startupWait: 60 } });
  server.reply(call("loud__do", { text: "hello" }));
  server.reply(say("done"));
  const result = await run(ws, ["--mode", "json", "--sandbox", "off", "-p", "go"], server);
  expect(result.stderr).toBe("");
  expect(ofType(eventsOf(result), "tool_result")[0]?.["content"]).toBe("hello");
  const log = readFileSync(join(stateFolder(ws), "log/mcp/loud.log"), "utf8");
  expect(log.includes("stderr: flood")).toBe(true);
  expect(log.includes("hunter2")).toBe(false);
});

test("--tools and --exclude-tools choose among servers' tools, too; with --no-tools no server is started [A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const tools = ["a", "b"].map((name) => ({ name, inputSchema: { type: "object" } }));
  userServers(ws, { s: fakeEntry({ tools, heard: ws.at("heard.jsonl") }) });
  userConfig(ws, { mcp: { startupWait: 60 } });
  server.otherwise(() => [say("ok")]);
  expect((await run(ws, ["--no-tools", "-p", "go"], server)).code).toBe(0);
  expect(ws.exists("heard.jsonl")).toBe(false);
  await run(ws, ["--tools", "read,s__a", "-p", "go"], server);
  await run(ws, ["--exclude-tools", "bash,s__*", "-p", "go"], server);
  expect(toolsOf(server, 1)).toEqual([]);
  expect(toolsOf(server, 2)).toEqual(["read", "s__a"]);
  expect(toolsOf(server, 3).filter((name) => name === "bash" || name.startsWith("s__"))).toEqual([]);
});

test("pi doctor says of each server whether its program is there [A-EXT-03]", async () => {
  await using ws = await workspace();
  userServers(ws, {
    good: fakeEntry(),
    missing: { command: "no-such-program-at-all" },
    web: { url: "https://user:secret@mcp.example.com/mcp?key=secret" },
    unset: { command: "x", args: [variable("NOT_SET_AT_ALL")] },
  });
  const { stdout } = await pi(ws, ["doctor"], { entrance: anyPi() });
  expect(stdout).toMatch(/ok +MCP server +good: /);
  expect(stdout).toMatch(/! +MCP server +missing cannot start: there is no program no-such-program-at-all/);
  expect(stdout).toMatch(/ok +MCP server +web at https:\/\/…@mcp\.example\.com\/mcp\?…/);
  expect(stdout).toMatch(/! +MCP server +unset is not started: the variable NOT_SET_AT_ALL is not set/);
  expect(stdout).not.toContain("user:secret");
});

test("/server:prompt arguments sends what the server makes of it, also of a server that is slower than the start [A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const prompts = [{ name: "review", arguments: [{ name: "file", required: true }] }];
  userServers(ws, { fake: fakeEntry({ prompts, listWhen: ws.at("go") }) });
  userConfig(ws, { mcp: { startupWait: 0.1 } });
  server.otherwise(() => [say("ok")]);
  await using slow = startPi(ws, ["-p", "/fake:review a.ts"], { server, entrance: anyPi() });
  ws.write("go", "");
  expect((await slow.exited).code).toBe(0);
  expect(server.request(1).text).toContain(
    'Prompt {\\"name\\":\\"review\\",\\"arguments\\":{\\"file\\":\\"a.ts\\"}}',
  );
  const wrong = await run(ws, ["-p", "/fake:reviw a.ts"], server);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("there is no prompt /fake:reviw")]);
  expect(wrong.stderr).toContain("/fake:review");
  await run(ws, ["-p", "/other:review a.ts"], server);
  expect(server.request(2).text).toContain("/other:review a.ts");
});

test("two processes that meet a token that is no longer good refresh it once, and both are let in [A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  using service = oauthServer();
  {
    await using open = openHub(ws, [address("web", service.url)]);
    const signal = new AbortController().signal;
    await open.hub.login(open.hub.find("web")!, { signal, show: (url) => void service.browse(url) });
  }
  service.revoke();
  userServers(ws, { web: { url: service.url } });
  userConfig(ws, { mcp: { startupWait: 60 } });
  server.otherwise(({ results }) => (results.length === 0 ? [call("web__t")] : [say(results[0]!.text)]));
  const both = await Promise.all(["one", "two"].map((prompt) => run(ws, ["-p", prompt], server)));
  expect(both.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, "let in\n"],
    [0, "let in\n"],
  ]);
  expect(service.refreshes).toBe(1);
});
