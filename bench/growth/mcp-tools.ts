import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { runOnce } from "../measure.ts";
import { benchService } from "../service.ts";
import { MODEL, piCommand } from "../subject.ts";
import { fastestBySize } from "./fastest.ts";
import type { Point } from "./fit.ts";
import type { Growth, GrowthShape } from "./series.ts";

const FAKE = join(import.meta.dir, "../../packages/agent/src/extension/mcp/__fixtures__/fake-server.ts");

/** What a one-shot and its request cost with an MCP server of so many tools, whose list is known from the last start. */
export async function toolsGrowth({ sizes, runs }: GrowthShape): Promise<Growth> {
  await using service = await benchService();
  await using stack = new AsyncDisposableStack();
  const spaces = new Map<number, Workspace>();
  const bytes: Point[] = [];
  for (const size of sizes) {
    const space = stack.use(await workspace({ "a.txt": "one\n" }));
    spaces.set(size, space);
    if (size > 0) addServer(space, size);
    // The first one looks at the server, the second one knows its tools.
    for (let run = 0; run < 2; run++) await runOnce(start(space));
    bytes.push({ size, value: (await service.last()).bytes / 1_000 });
  }
  function start(space: Workspace) {
    return piCommand(space, service.url, [...MODEL, "-p", "hi"]);
  }
  const points = await fastestBySize(runs, sizes, (size) => runOnce(start(spaces.get(size)!)));
  return {
    name: "tools",
    sizes: "MCP tools",
    series: [
      { name: "one-shot start", unit: "ms", limit: "flat", points },
      { name: "bytes of its request", unit: "KB", limit: "linear", points: bytes },
    ],
  };
}

function addServer(space: Workspace, count: number): void {
  const tools = Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does thing number ${index} of many, which takes a sentence to say`,
    inputSchema: {
      type: "object",
      properties: { text: { type: "string", description: "What it is done with" } },
      required: ["text"],
    },
  }));
  const plan = join(space.home, "plan.json");
  space.write(plan, JSON.stringify({ tools }));
  const server = { command: process.execPath, args: ["--no-env-file", FAKE, `@${plan}`] };
  space.write(join(space.home, ".pi-go", "mcp.json"), JSON.stringify({ mcpServers: { fake: server } }));
}
