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
}

/** Runs a command to its end and says what it cost by the system's own accounting. Throws when it exits with another code than 0. */
export async function runOnce(command: Command): Promise<Cost> {
  const started = performance.now();
  const child = Bun.spawn([...command.argv], {
    cwd: command.cwd,
    env: { ...command.environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const wallMs = performance.now() - started;
  if (code !== 0)
    throw new Error(
      `${command.argv.join(" ")} ended with exit code ${code}\n${stdout.slice(-500)}\n${stderr.slice(-1000)}`,
    );
  const usage = child.resourceUsage();
  return {
    wallMs,
    cpuMs: usage ? Number(usage.cpuTime.total) / 1_000 : Number.NaN,
    peakMiB: usage ? usage.maxRSS / 1024 / 1024 : Number.NaN,
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
