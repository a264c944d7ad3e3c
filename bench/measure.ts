import { readFileSync } from "node:fs";

/** What one whole process cost. */
export interface Cost {
  wallMs: number;
  cpuMs: number;
  peakMiB: number;
}

export interface Command {
  argv: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  /** After so many milliseconds it is killed, with all it started, and the run throws; absent: it is waited for. */
  deadlineMs?: number;
}

const NEVER_MS = 2 ** 31 - 1;

/** Runs a command to its end and says what it cost by the system's own accounting. Throws when it exits with another code than 0. */
export async function runOnce(command: Command): Promise<Cost> {
  const started = performance.now();
  const child = Bun.spawn([...command.argv], {
    cwd: command.cwd,
    env: { ...command.environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, so that a program that started itself once more can be killed whole.
    ...(command.deadlineMs === undefined ? {} : { detached: true }),
  });
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    process.kill(-child.pid, "SIGKILL");
  }, command.deadlineMs ?? NEVER_MS);
  const looked = lookAtPeak(child.pid);
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const wallMs = performance.now() - started;
  clearTimeout(deadline);
  const seen = looked.end();
  if (late) throw new Error(`${command.argv[0]} had not ended after ${command.deadlineMs} ms`);
  if (code !== 0)
    throw new Error(
      `${command.argv.join(" ")} ended with exit code ${code}\n${stdout.slice(-500)}\n${stderr.slice(-1000)}`,
    );
  const usage = child.resourceUsage();
  return {
    wallMs,
    cpuMs: usage ? Number(usage.cpuTime.total) / 1_000 : Number.NaN,
    peakMiB: usage ? peakOf(usage.maxRSS, seen) / 1024 / 1024 : Number.NaN,
  };
}

/**
 * The system counts what the parent held when it started a process among that process's peak: below our own peak the figure is ours, and
 * what was seen while it ran is nearer to the truth. Bytes.
 */
function peakOf(counted: number, seen: number): number {
  return counted > process.resourceUsage().maxRSS * 1024 || seen === 0 ? counted : seen;
}

/** Looks at a process's peak of resident memory while it runs; `end` gives the last one seen in bytes, 0 where the system does not tell. */
function lookAtPeak(pid: number): { end(): number } {
  let peak = 0;
  const look = () => {
    try {
      const [, kibibytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      if (kibibytes !== undefined) peak = Number(kibibytes) * 1024;
    } catch {
      // it is over, or this is no Linux
    }
  };
  const timer = setInterval(look, 2);
  return {
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Runs several commands in turn (A B A B …), after one run of each that is not counted, so that drift hits all alike. */
export async function compare(
  runs: number,
  commands: Readonly<Record<string, () => Promise<Cost>>>,
): Promise<Record<string, Cost[]>> {
  const costs: Record<string, Cost[]> = {};
  for (const [name, run] of Object.entries(commands)) {
    await run();
    costs[name] = [];
  }
  for (let index = 0; index < runs; index++)
    for (const [name, run] of Object.entries(commands)) costs[name]!.push(await run());
  return costs;
}

/** The median; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
