/** Tool servers of conversations that live on between prompts. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { say } from "@pi-ts/testkit";
import type { HubSession } from "../../contract/session-hub.ts";
import { eventsOf, type HubBench, hubBench } from "./test-support/hub-bench.ts";

const FAKE = join(import.meta.dir, "../../extension/mcp/__fixtures__/fake-server.ts");
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

/** Configures a server whose plan stands in a file, so that the next start of it can be another one's. */
function planned(bench: HubBench): (plan: object) => void {
  const file = join(bench.ws.home, "plan.json");
  const entry = { command: process.execPath, args: ["--no-env-file", FAKE, `@${file}`] };
  bench.ws.write(join(bench.ws.home, ".pi-go/mcp.json"), JSON.stringify({ mcpServers: { one: entry } }));
  return (plan) => bench.ws.write(file, JSON.stringify(plan));
}

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

function changeOf(session: HubSession): Promise<void> {
  return new Promise((resolve) => {
    session.whenCommandsChange(() => names(session.commands()).includes("one:later") && resolve());
  });
}

test("a session does not wait for a server whose list is known: its tools and prompts are there at once, and what it lists anew arrives [A-EXT-03][M01]", async () => {
  await using bench = await hubBench({ config: { mcp: { startupWait: 60 } } });
  const plan = planned(bench);
  plan({ tools: [tool("before")], prompts: [{ name: "greet" }] });
  await (await bench.hub.create({ cwd: bench.ws.path })).close();

  const gate = join(bench.ws.home, "gate");
  plan({ tools: [tool("after")], prompts: [{ name: "greet" }, { name: "later" }], listWhen: gate });
  const session = await bench.hub.create({ cwd: bench.ws.path });
  expect(names(session.commands())).toEqual(["one:greet"]);
  expect(names(session.tools())).toContain("one__before");

  const changed = changeOf(session);
  bench.ws.write(gate, "");
  await changed;
  expect(names(session.commands())).toEqual(["one:greet", "one:later"]);
  bench.server.reply(say("done"));
  await eventsOf(session, "go");
  const declared = names(bench.server.request(1).tools).filter((name) => name.startsWith("one__"));
  expect(declared.sort()).toEqual(["one__after", "one__do"]);
});

test("a server that nobody knows yet is waited for no longer than mcp.startupWait, and its tools come with a later prompt [A-EXT-03][M01]", async () => {
  await using bench = await hubBench({ config: { mcp: { startupWait: 0 } } });
  const gate = join(bench.ws.home, "gate");
  planned(bench)({ tools: [tool("a")], prompts: [{ name: "later" }], listWhen: gate });
  const session = await bench.hub.create({ cwd: bench.ws.path });
  expect(names(session.tools()).filter((name) => name.includes("__"))).toEqual([]);
  const changed = changeOf(session);
  bench.ws.write(gate, "");
  await changed;
  expect(names(session.tools())).toContain("one__a");
});

test("a session that ends tells of no command that went with its servers", async () => {
  await using bench = await hubBench({ config: { mcp: { startupWait: 60 } } });
  planned(bench)({ prompts: [{ name: "greet" }] });
  const session = await bench.hub.create({ cwd: bench.ws.path });
  let told = 0;
  session.whenCommandsChange(() => told++);
  await session.close();
  expect(told).toBe(0);
});

test("what a client's server is started with is in no file afterwards [X05]", async () => {
  await using bench = await hubBench({ config: { mcp: { startupWait: 60 } } });
  const secret = "value-of-the-client-4711";
  const session = await bench.hub.create({
    cwd: bench.ws.path,
    toolServers: [
      {
        name: "brought",
        command: process.execPath,
        args: ["--no-env-file", FAKE, "{}"],
        env: { SOME_SETTING: secret },
      },
    ],
  });
  bench.server.reply(say("done"));
  await eventsOf(session, "go");
  expect(names(bench.server.request(1).tools)).toContain("brought__do");
  await session.close();
  const state = join(bench.ws.home, ".pi-go");
  const files = readdirSync(state, { recursive: true }).map((name) => join(state, String(name)));
  const holding = files.filter((file) => statSync(file).isFile() && readFileSync(file).includes(secret));
  expect(holding).toEqual([]);
});
