/** What subagents may not do, and how many there may be. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  call,
  fail,
  hold,
  leftovers,
  modelServer,
  type RecordedRequest,
  say,
  usage,
  workspace,
} from "@pi-ts/testkit";
import { endOf, eventsOf, ofType } from "./support/events.ts";
import { fakeEntry, userServers } from "./support/mcp.ts";
import { pi } from "./support/pi.ts";
import { sessionsOf, stateFolder } from "./support/state.ts";
import { first, given, options, plays, textOf, told, userConfig } from "./support/subagents.ts";

test("commands of a reviewer write nothing, in a sandbox or not at all [A07][X03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "needle\n" });
  const before = ws.snapshot();
  plays(server, "REVIEW", [call("bash", { command: "sed -i s/needle/gone/ a.txt; echo x > b.txt" })], "bad");
  server.when(first).reply(call("agent", { agent: "reviewer", task: "REVIEW it" }));
  server.when(told("go!")).reply(say("done"));
  // Even where the user's own commands are not confined.
  await pi(ws, ["--sandbox", "off", "-p", "go!"], options(server));
  expect(given(server)).toContain("bad");
  expect(ws.snapshot()).toEqual(before);
});

test("a subagent has no tool that its parent has not [A07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" });
  plays(server, "WORK", [], "nothing to do it with");
  server.when(first).reply(call("agent", { agent: "task", task: "WORK" }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["--tools", "read,agent", "-p", "go!"], options(server));
  expect(server.requests.find(told("WORK"))?.tools.map(({ name }) => name)).toEqual(["read"]);
});

test("what a person must be asked for is refused in a subagent, and it ends [A07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" });
  userConfig(ws, { permissions: { ask: ["edit(a.txt)"], deny: ["bash(touch:*)"] } });
  const change = { file_path: "a.txt", old_string: "a", new_string: "b" };
  plays(
    server,
    "WORK",
    [call("read", { file_path: "a.txt" }), call("edit", change), call("bash", { command: "touch x" })],
    "refused",
  );
  server.when(first).reply(call("agent", { agent: "quick_task", task: "WORK" }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  const [, edit, bash] = server.requests.filter(told("WORK")).at(-1)!.results;
  expect([edit?.isError, bash?.isError]).toEqual([true, true]);
  expect([ws.read("a.txt"), ws.exists("x")]).toEqual(["a\n", false]);
});

test("a sixth waits for a free place, without a process of its own [A-SUB-02][A03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const gates = Array.from({ length: 8 }, () => Promise.withResolvers<void>());
  const atOnce: number[] = [];
  const rule = server.when((request) => {
    if (!told("JOB")(request)) return false;
    atOnce.push(leftovers(ws.marker).filter((process) => process.includes("--subagent")).length);
    // From the fifth on each arrival lets one of those before it end.
    gates[atOnce.length - 5]?.resolve();
    if (atOnce.length === 8) for (const gate of gates) gate.resolve();
    return true;
  });
  for (const gate of gates) rule.reply(hold(gate.promise), say("answer"));
  const tasks = gates.map((_, n) => ({ agent: "explore", task: `JOB ${n}` }));
  server.when(first).reply(call("agent", { tasks }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  expect(given(server).match(/is done/g)).toHaveLength(8);
  expect(Math.max(...atOnce)).toBe(5);
});

test("beyond the starts of a session there is an error that names the limit, also after a restart [A03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { subagent: { maxPerSession: 3 } });
  plays(server, "JOB", [], "answer");
  const tasks = [1, 2, 3, 4].map((n) => ({ agent: "explore", task: `JOB ${n}` }));
  server.when(first).reply(call("agent", { tasks }));
  server
    .when((request) => told("again!")(request) && request.results.length === 1)
    .reply(call("agent", tasks[0]));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  expect(given(server).match(/is done/g)).toHaveLength(3);
  expect(given(server)).toContain("all 3 starts are used (subagent.maxPerSession)");
  await pi(ws, ["-c", "-p", "again!"], options(server));
  expect(server.requests.at(-1)?.results.at(-1)?.text).toContain("subagent.maxPerSession");
});

test("agents that always start agents stay within the depth, five at a time, and give their places back while they wait [A03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { subagent: { maxDepth: 3, maxPerSession: 30 } });
  ws.write(
    join(stateFolder(ws), "agents", "boss.md"),
    "---\nname: boss\ntools: agent, read\n---\nYou delegate.\n",
  );
  const five = call("agent", { tasks: Array.from({ length: 5 }, () => ({ agent: "boss", task: "JOB" })) });
  const asks = (request: RecordedRequest) =>
    request.results.length === 0 && request.tools.some(({ name }) => name === "agent");
  server.when(asks).reply(five);
  server.otherwise(() => [say("done")]);
  const result = await pi(ws, ["-p", "go!"], options(server));
  expect(result.code).toBe(0);
  // 30 starts of it, each with at most two requests, and two of the parent.
  expect(server.requests.length).toBeLessThanOrEqual(62);
  expect(sessionsOf(ws).filter(({ meta }) => meta["mode"] === "subagent")).toHaveLength(30);
  expect(
    server.requests.some((request) => request.results.some(({ text }) => text.includes("maxPerSession"))),
  ).toBe(true);
  expect(leftovers(ws.marker)).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "keys reach a subagent by its pipe alone: no argument, no environment, no file holds them [X05]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const seen: string[] = [];
    // Of this test alone: programs of others run on the same machine.
    const key = `sk-ant-e2e-${process.pid}-${ws.marker}`;
    const looking = (request: RecordedRequest) => {
      if (!told("LOOK")(request)) return false;
      for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
        for (const file of ["cmdline", "environ"]) seen.push(textOf(`/proc/${pid}/${file}`));
      return true;
    };
    server
      .when(looking)
      .reply(call("bash", { command: "env | grep -c KEY" }))
      .reply(say("looked"));
    server.when(first).reply(call("agent", { agent: "quick_task", task: "LOOK" }));
    server.when(told("go!")).reply(say("done"));
    userConfig(ws, { providers: { anthropic: { apiKey: key, headers: { "x-team": "blue" } } } });
    await pi(ws, ["-p", "go!"], options(server, { env: { ANTHROPIC_API_KEY: undefined } }));
    const child = server.requests.filter(told("LOOK"));
    expect(child[0]?.headers).toMatchObject({ "x-api-key": key, "x-team": "blue" });
    expect(child.at(-1)?.results[0]?.text).toStartWith("0");
    expect(seen.some((text) => text.includes("--subagent"))).toBe(true);
    expect(seen.join("")).not.toContain(key);
    const written = readdirSync(stateFolder(ws), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "config.json")
      .map((entry) => textOf(join(entry.parentPath, entry.name)));
    expect(written.join("")).not.toContain(key);
  },
);

test("once there are subagents, what the service tells their parent to wait they wait too [P04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  plays(server, "WORK", [], "worked");
  const pauses = (mode: string) => {
    const folder = sessionsOf(ws).findLast(({ meta }) => meta["mode"] === mode)!.folder;
    return textOf(join(folder, "agents", "pauses", "anthropic.json"));
  };
  const tooMuch = fail(429, { headers: { "retry-after": "0" } });
  server.when(told("alone!")).reply(tooMuch).reply(say("done"));
  await pi(ws, ["-p", "alone!"], options(server));
  expect(pauses("print")).toBe("");
  server.when(first).reply(call("agent", { agent: "explore", task: "WORK" }));
  server.when(told("go!")).once().reply(tooMuch);
  let during = "";
  server
    .when((request) => {
      const again = told("go!")(request);
      if (again) during = pauses("print");
      return again;
    })
    .reply(say("done"));
  expect((await pi(ws, ["-p", "go!"], options(server))).stdout).toBe("done\n");
  expect(JSON.parse(during)).toMatchObject({ ms: 1_000 });
  // The service answers again: nobody waits any more.
  expect(pauses("print")).toBe("");
});

test("tokens of subagents come out of the day's one budget, and the limit is told [Q03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { guardrail: { max_daily_tokens: 60_000 } });
  server.when(told("JOB")).reply(usage({ input: 30_000, output: 1_000 }), say("answer"));
  server
    .when(first)
    .reply(call("agent", { chain: [1, 2, 3, 4].map((n) => ({ agent: "explore", task: `JOB ${n}` })) }));
  const result = await pi(ws, ["--mode", "json", "go!"], options(server));
  const [end] = ofType(eventsOf(result), "tool_result");
  expect(String(end?.["content"])).toContain("a limit was reached");
  expect(server.requests.filter(told("JOB")).length).toBeLessThan(4);
  expect(endOf(eventsOf(result))["stop_reason"]).toBe("limit");
});

test("a subagent has tools of MCP servers only where its type may [A07][A-SUB-06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, { one: fakeEntry() });
  plays(server, "LOOK", [], "looked");
  plays(server, "WORK", [], "worked");
  server.when(first).reply(
    call("agent", {
      chain: [
        { agent: "explore", task: "LOOK" },
        { agent: "task", task: "WORK" },
      ],
    }),
  );
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  const toolsOf = (word: string) => server.requests.find(told(word))!.tools.map(({ name }) => name);
  expect(toolsOf("LOOK").filter((name) => name.includes("__"))).toEqual([]);
  expect(toolsOf("WORK")).toContain("one__do");
});

test("tools that its parent finds by search a subagent finds, too, where its type may; a type that lists some has those and no search [A07][A-SUB-06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const many = Array.from({ length: 8 }, (_, index) => ({
    name: `tool_${index}`,
    description: "Does one thing of many ".repeat(40),
    inputSchema: { type: "object" },
  }));
  userConfig(ws, { mcp: { toolBudget: 500, startupWait: 60 } });
  userServers(ws, { many: fakeEntry({ tools: many }) });
  const agents = {
    seeker: "read, mcp-search, mcp-call",
    picker: "read, many__do",
    reader: "read, grep",
  };
  for (const [name, tools] of Object.entries(agents))
    ws.write(
      join(stateFolder(ws), "agents", `${name}.md`),
      `---\nname: ${name}\ntools: ${tools}\n---\nUse them.\n`,
    );
  const WORDS = { task: "WORK", seeker: "SEEK", picker: "PICK", reader: "LOOK" };
  for (const word of [WORDS.task, WORDS.seeker])
    plays(
      server,
      word,
      [call("mcp-search", { query: "thing of many" }), call("mcp-call", { tool: "many__do", arguments: {} })],
      "found",
    );
  for (const word of [WORDS.picker, WORDS.reader]) plays(server, word, [], "nothing to find");
  server
    .when(first)
    .reply(call("agent", { chain: Object.entries(WORDS).map(([agent, task]) => ({ agent, task })) }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  const lent = (word: string) =>
    server.requests
      .findLast(told(word))!
      .tools.map(({ name }) => name)
      .filter((name) => name.includes("__") || name.startsWith("mcp-"));
  expect([WORDS.task, WORDS.seeker, WORDS.picker, WORDS.reader].map(lent)).toEqual([
    ["mcp-search", "mcp-call"],
    ["mcp-search", "mcp-call"],
    ["many__do"],
    [],
  ]);
  for (const word of [WORDS.task, WORDS.seeker])
    expect(server.requests.findLast(told(word))!.results.map(({ isError }) => isError)).toEqual([
      false,
      false,
    ]);
});

test("a subagent starts only the MCP servers that lend its tools [A07][A-SUB-06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const heard = (name: string) => join(ws.home, `${name}.jsonl`);
  userServers(ws, { one: fakeEntry({ heard: heard("one") }), two: fakeEntry({ heard: heard("two") }) });
  ws.write(
    join(stateFolder(ws), "agents", "user.md"),
    "---\nname: user\ntools: read, two__do\n---\nUse it.\n",
  );
  // Where the tools of servers cannot be remembered, each one that there is has to be started and asked.
  ws.write(join(stateFolder(ws), "cache", "mcp"), "no folder");
  plays(server, "WORK", [call("two__do", {})], "used");
  server.when(first).reply(call("agent", { agent: "user", task: "WORK" }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  expect(given(server)).toContain("used");
  const starts = (name: string) => textOf(heard(name)).match(/"method":"initialize"/g)?.length;
  expect([starts("one"), starts("two")]).toEqual([1, 2]);
});

test("an address and a header of the command line never meet the key of another provider, which a role names [X05]", async () => {
  await using server = await modelServer();
  await using other = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { roles: { smol: "openai/gpt-5.5" } });
  server.when(first).reply(call("agent", { agent: "explore", task: "FIND" }));
  server.when(told("go!")).reply(say("done"));
  other.when(told("FIND")).reply(say("found"));
  const env = {
    ANTHROPIC_BASE_URL: undefined,
    OPENAI_BASE_URL: other.baseUrl("openai-responses"),
    OPENAI_API_KEY: "sk-proj-other-0123456789-abcdefghijkl",
  };
  await pi(ws, ["--url", server.url, "--header", "x-team=blue", "-p", "go!"], options(server, { env }));
  expect(given(server)).toContain("found");
  expect(server.requests[0]?.headers).toMatchObject({ "x-team": "blue" });
  expect(other.requests[0]?.headers).not.toHaveProperty("x-team");
});

test("when a service has too much to do, five subagents ask it a bounded number of times, and each ends well [P04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const busy = server.when(told("JOB"));
  for (let n = 0; n < 5; n++) busy.reply(fail(529));
  busy.reply(say("answer"));
  const tasks = Array.from({ length: 5 }, (_, n) => ({ type: "explore", prompt: `JOB ${n}` }));
  server.when(first).reply(call("agent", { tasks }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  expect(given(server).match(/is done/g)).toHaveLength(5);
  expect(server.requests.filter(told("JOB")).length).toBeLessThanOrEqual(10);
});
