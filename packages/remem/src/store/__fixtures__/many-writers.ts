import type { MemoryStore } from "../../core/ports/memory-store.ts";
import { lines, runtimes } from "./programs.ts";

export interface ManyWriters {
  /** A program `SCRIPT PLACE NAME COUNT` that writes so many memories, one at a time, and says `added` for each. */
  readonly script: string;
  /** What the script opens. */
  readonly place: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Opens the same store, to count what is in it afterwards. */
  readonly open: () => Promise<MemoryStore>;
  /** Memories of each writer. */
  readonly each: number;
  /** Acknowledged memories after which the seventh program is killed. */
  readonly killedAfter: number;
}

/** What came of it; all counts but `writers` and `acknowledged` are to be 0, and `problems` is to be empty. */
export interface ManyWritersReport {
  readonly writers: number;
  /** The commands the writers were run with. */
  readonly runtimes: readonly string[];
  /** Memories that a writer was told are stored, the killed one included. */
  readonly acknowledged: number;
  /** Writers that ended with an error, or without all of their memories stored. */
  readonly failed: number;
  /** Acknowledged memories that are not in the store. */
  readonly lost: number;
  /** Statements that hold beside the last one of each writer. */
  readonly contradictions: number;
  /** What the store finds wrong with itself. */
  readonly problems: readonly string[];
  readonly milliseconds: number;
}

const WRITERS = 6;
const VICTIM = "victim";
const ENDLESS = 1_000_000;

/** Six programs, of every runtime that is there in turn, write to one store while a seventh is killed in the middle of its work. */
export async function measureManyWriters(options: ManyWriters): Promise<ManyWritersReport> {
  const started = performance.now();
  const available = runtimes();
  const start = (name: string, count: number, index: number) =>
    Bun.spawn(
      [...available[index % available.length]!, options.script, options.place, name, String(count)],
      { env: { ...options.environment }, stdout: "pipe", stderr: "pipe" },
    );
  const names = Array.from({ length: WRITERS }, (_, index) => `writer${index}`);
  const writers = names.map((name, index) => start(name, options.each, index));
  const victim = start(VICTIM, ENDLESS, 0);
  const acknowledged = new Map([[VICTIM, 0]]);
  for await (const line of lines(victim.stdout)) {
    if (line === "added") acknowledged.set(VICTIM, acknowledged.get(VICTIM)! + 1);
    if (acknowledged.get(VICTIM) === options.killedAfter) victim.kill("SIGKILL");
  }
  await victim.exited;
  const succeeded = await Promise.all(
    writers.map(async (writer, index) => {
      const written = (await new Response(writer.stdout).text()).split("\n");
      const added = written.filter((line) => line === "added").length;
      acknowledged.set(names[index]!, added);
      const complaint = await new Response(writer.stderr).text();
      return (await writer.exited) === 0 && complaint === "" && added === options.each;
    }),
  );
  const milliseconds = performance.now() - started;
  const store = await options.open();
  try {
    const all = await store.list({ scope: { kind: "project", id: "p" } }, ENDLESS);
    const missing = [...acknowledged].map(([name, count]) =>
      Math.max(0, count - all.filter(({ text }) => text.startsWith(`${name} `)).length),
    );
    const holding = all.filter(({ state }) => state === "active").length;
    return {
      writers: WRITERS,
      runtimes: available.map(([program]) => program!),
      acknowledged: [...acknowledged.values()].reduce((sum, count) => sum + count, 0),
      failed: succeeded.filter((ok) => !ok).length,
      lost: missing.reduce((sum, count) => sum + count, 0),
      contradictions: holding - acknowledged.size,
      problems: await store.check(),
      milliseconds,
    };
  } finally {
    await store.close();
  }
}
