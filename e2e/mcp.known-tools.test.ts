/** One-shot runs whose MCP tools are known from the last start. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { call, type ModelServer, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { fakeEntry, userConfig, userServers } from "./support/mcp.ts";
import { anyPi, pi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

/** The tools of servers that the last request declared. */
function declared(server: ModelServer): string[] {
  const { tools } = server.request(server.requests.length);
  return tools.map(({ name }) => name).filter((name) => name.includes("__"));
}

async function ask(ws: Workspace, server: ModelServer, env: Record<string, string> = {}) {
  server.reply(say("done"));
  return await pi(ws, ["-p", "go"], { server, entrance: anyPi(), env });
}

function offers(ws: Workspace): string[] {
  return readdirSync(join(stateFolder(ws), "cache", "mcp")).filter((file) => file.startsWith("offer-"));
}

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

test("a tool that is known from the last start is run by its server [M01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, { one: fakeEntry({ tools: [tool("a")], heard: ws.at("heard.jsonl") }) });
  userConfig(ws, { mcp: { startupWait: 60 } });
  await ask(ws, server);
  expect(offers(ws)).toHaveLength(1);
  expect(ws.read("heard.jsonl")).not.toContain("tools/call");
  server.reply(call("one__do", { what: "environment" }));
  await ask(ws, server);
  expect(ws.read("heard.jsonl")).toContain("tools/call");
  expect(JSON.stringify(server.request(3).body)).toContain("PATH");
});

test("what a server is started with is not copied into what is kept of its tools [X05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  userServers(ws, { one: { ...fakeEntry({ tools: [tool("a")] }), env: { TOKEN: "canary-of-a-token" } } });
  await ask(ws, server);
  const [kept] = offers(ws);
  expect(ws.read(join(stateFolder(ws), "cache", "mcp", kept!))).not.toContain("canary-of-a-token");
});

test("a changed entry of a server is seen by the next start [M01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  userServers(ws, { one: fakeEntry({ tools: [tool("a")] }) });
  await ask(ws, server);
  userServers(ws, { two: fakeEntry({ tools: [tool("b")] }) });
  await ask(ws, server);
  expect(declared(server)).toEqual(["two__b", "two__do"]);
});

test("a run with other tools allowed does not take over what an earlier one was offered [M01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  userServers(ws, { one: fakeEntry({ tools: [tool("a")] }) });
  await ask(ws, server);
  server.reply(say("done"));
  await pi(ws, ["-p", "--exclude-tools", "one__a", "go"], { server, entrance: anyPi() });
  expect(declared(server)).toEqual(["one__do"]);
});

test("with variables in a server's entry each start looks for itself [M01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  const entry = { ...fakeEntry({ tools: [tool("a")] }), env: { TOKEN: "$" + "{SOME_TOKEN}" } };
  userServers(ws, { one: entry });
  await ask(ws, server, { SOME_TOKEN: "12345678" });
  expect(declared(server)).toEqual(["one__a", "one__do"]);
  expect(offers(ws)).toEqual([]);
  expect((await ask(ws, server)).stderr).toContain("SOME_TOKEN is not set");
});

test("a server of which something cannot be used is told of at every start [M03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userConfig(ws, { mcp: { startupWait: 60 } });
  userServers(ws, { one: fakeEntry({ tools: [tool("a"), tool("a")] }) });
  for (let start = 0; start < 2; start++)
    expect((await ask(ws, server)).stderr).toContain("it is listed twice; the first one counts");
});
