import { readdirSync, readFileSync } from "node:fs";
import { call, hold, type ModelServer, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { median } from "./measure.ts";
import { type Figure, ms } from "./report.ts";
import { piCommand } from "./subject.ts";

const TASKS = 5;
const MODEL = ["--model", "anthropic/claude-opus-5-5"] as const;

/** Subagents of the executable: from the call that starts one to its first request, and what five of them at work add in memory. */
export async function benchSubagents(runs: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  const starts: number[] = [];
  const sizes: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const { start, size } = await once(space);
    // The first one of each is not counted.
    if (run === 0) continue;
    starts.push(start);
    sizes.push(size);
  }
  const [start, size] = [median(starts), median(sizes)];
  return [
    {
      name: "start of a subagent",
      value: ms(start),
      beside: "from the answer with the call to its first request",
      goal: "≤ 150 ms",
      met: start <= 150,
    },
    {
      name: "memory of each of five subagents",
      value: `${size.toFixed(0)} MiB`,
      beside: "resident, its program text with it",
      goal: "≤ 90 MiB",
      met: size <= 90,
    },
  ];
}

async function once(space: Workspace): Promise<{ start: number; size: number }> {
  const { sizes } = await measureSubagents(space, TASKS);
  return { start: await startOfOne(space), size: sizes.reduce((sum, size) => sum + size, 0) / TASKS };
}

async function startOfOne(space: Workspace): Promise<number> {
  await using server = await scripted(1, Promise.resolve());
  await run(space, server).exited;
  return server.request(2).at - server.request(1).at;
}

/**
 * So many subagents of one call, all at work at once: from the answer with the call to the last one's first request in milliseconds, and
 * the MiB that each is resident with, its program text with it. Throws when fewer are there.
 */
export async function measureSubagents(
  space: Workspace,
  tasks: number,
): Promise<{ startMs: number; sizes: number[] }> {
  const measured = Promise.withResolvers<void>();
  await using server = await scripted(tasks, measured.promise);
  const child = run(space, server);
  await server.waitFor(1 + tasks);
  const sizes = subagentsOf(child.pid).map(residentSize);
  measured.resolve();
  await child.exited;
  if (sizes.length !== tasks) throw new Error(`${sizes.length} subagents were found, not ${tasks}`);
  return { startMs: server.request(1 + tasks).at - server.request(1).at, sizes };
}

/** A service whose first answer starts so many subagents, which it answers after `until`. */
async function scripted(tasks: number, until: Promise<void>): Promise<ModelServer> {
  const server = await modelServer();
  const list = Array.from({ length: tasks }, (_, n) => ({ agent: "explore", task: `JOB ${n}` }));
  server.otherwise((request) => {
    if (request.userTexts.some((text) => text.startsWith("JOB"))) return [hold(until), say("done")];
    return request.results.length > 0 ? [say("done")] : [call("agent", { tasks: list })];
  });
  return server;
}

function run(space: Workspace, server: ModelServer) {
  const { argv, cwd, environment } = piCommand(space, server.url, [...MODEL, "-p", "go"]);
  const env = {
    ...environment,
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "sk-ant-bench-0123456789",
  };
  return Bun.spawn([...argv], { cwd, env, stdin: "ignore", stdout: "ignore", stderr: "inherit" });
}

function subagentsOf(parent: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && statusOf(pid).includes(`PPid:\t${parent}\n`))
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--subagent"));
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    // it ended meanwhile
    return "";
  }
}

/** MiB. */
function residentSize(pid: number): number {
  const [, kib = "NaN"] = /^Rss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  return Number(kib) / 1024;
}
