import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { type Cost, compare, median, runOnce } from "./measure.ts";
import { type Figure, ms, times } from "./report.ts";
import { type BenchService, benchService } from "./service.ts";
import { MODEL, piCommand } from "./subject.ts";
import { inputBoxShown, startInteractive } from "./terminal/subject.ts";

const FAKE = join(import.meta.dir, "../packages/agent/src/extension/mcp/__fixtures__/fake-server.ts");
const TOOLS = Array.from({ length: 20 }, (_, index) => ({
  name: `tool_${index}`,
  description: "Does one thing of many",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
}));

/** So many times more runs where per cents are told apart. */
const MORE = 3;

/** A start with three MCP servers beside one without any: with their lists of the last start, with one dead, and in the terminal. */
export async function benchMcp(runs: number): Promise<Figure[]> {
  await using service = await benchService();
  await using without = await space([]);
  await using cached = await space(["a", "b", "c"]);
  await using silent = await space(["a", "b"], { name: "silent", plan: { initialize: "never" } });
  const start = (each: Workspace) => () => runOnce(piCommand(each, service.url, [...MODEL, "-p", "hi"]));
  // So that the lists are there: the first run of each, which does not count, may be too short for it.
  for (const each of [cached, silent]) await runOnce(piCommand(each, service.url, [...MODEL, "-p", "hi"]));
  // What has to be told apart is some per cent: many runs, and pairs of them, so that what else the machine does hits both.
  const many = await compare(runs * MORE, { none: start(without), cached: start(cached) });
  // Apart, since its servers are still ending when it has ended.
  const few = await compare(runs, { none: start(without), silent: start(silent) });
  const walls = (costs: readonly Cost[] | undefined) => costs!.map(({ wallMs }) => wallMs);
  const slower = paired(walls(many["cached"]), walls(many["none"]), (some, none) => some / none);
  const longer = paired(walls(few["silent"]), walls(few["none"]), (some, none) => some - none);
  const base = median(walls(many["none"]));
  const frames = { none: [] as number[], cached: [] as number[] };
  for (let run = 0; run <= runs * MORE; run++) {
    const none = await untilFrame(without, service);
    const some = await untilFrame(cached, service);
    if (run === 0) continue;
    frames.none.push(none);
    frames.cached.push(some);
  }
  const frame = paired(frames.cached, frames.none, (some, none) => some / none);
  const beside = `without servers: ${ms(base)}`;
  return [
    {
      name: "one-shot start with three MCP servers, lists cached",
      value: `${ms(median(walls(many["cached"])))} = ${times(slower)}`,
      beside,
      goal: "≤ 1.05 ×",
      met: slower <= 1.05,
    },
    {
      name: "one-shot start with a silent server that never listed",
      value: `${ms(longer)} more`,
      beside,
      goal: "≤ 1 s more",
      met: longer <= 1_000,
    },
    {
      name: "first frame with three MCP servers",
      value: `${ms(median(frames.cached))} = ${times(frame)}`,
      beside: `without servers: ${ms(median(frames.none))}`,
      goal: "≤ 1.05 ×",
      met: frame <= 1.05,
    },
  ];
}

/** The median of what pairs of runs compare to. */
function paired(
  some: readonly number[],
  none: readonly number[],
  compared: (some: number, none: number) => number,
): number {
  return median(some.map((value, run) => compared(value, none[run]!)));
}

/** A workspace whose user has these servers with 20 tools each, and perhaps an odd one. */
async function space(names: readonly string[], odd?: { name: string; plan: object }): Promise<Workspace> {
  const made = await workspace({ "a.txt": "one\n" });
  const entry = (plan: object) => ({
    command: process.execPath,
    args: ["--no-env-file", FAKE, JSON.stringify(plan)],
  });
  const servers = Object.fromEntries(names.map((name) => [name, entry({ tools: TOOLS })]));
  if (odd !== undefined) servers[odd.name] = entry(odd.plan);
  if (Object.keys(servers).length > 0)
    made.write(join(made.home, ".pi-go", "mcp.json"), JSON.stringify({ mcpServers: servers }));
  return made;
}

async function untilFrame(each: Workspace, service: BenchService): Promise<number> {
  const started = performance.now();
  await using program = startInteractive(each, service, []);
  return (await program.waitFor(inputBoxShown)) - started;
}
