import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { openSqliteStore } from "../../packages/remem/src/store/sqlite/open-store.ts";
import { runOnce } from "../measure.ts";
import { openEngine } from "../memory/open-engine.ts";
import { observation, questions, vocabulary } from "../memory/synthetic-memories.ts";
import { benchService } from "../service.ts";
import { MODEL, piCommand } from "../subject.ts";
import { fastest } from "./fastest.ts";
import type { Point } from "./fit.ts";
import type { Growth, GrowthShape } from "./series.ts";

const BATCH = 500;
const SEED = 7;

/** What a one-shot costs that recalls something from so many memories. Throws when nothing was recalled. */
export async function memoriesGrowth({ sizes, runs }: GrowthShape): Promise<Growth> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  const words = vocabulary();
  const said = questions(SEED, words)();
  const run = (...flags: string[]) =>
    runOnce(piCommand(space, service.url, [...MODEL, ...flags, "-p", said]));
  const store = join(space.home, ".pi-go", "memory", "claude-mem.db");
  mkdirSync(join(space.home, ".pi-go", "memory"), { recursive: true });
  const points: Point[] = [];
  let filled = 0;
  for (const size of sizes) {
    await fill(store, filled, size, words);
    filled = size;
    await run("--memory-off");
    const { bytes: off } = await service.last();
    const { recall } = await fastest(runs, { recall: () => run() });
    const { bytes: on } = await service.last();
    if (on <= off) throw new Error(`of ${size} memories none was recalled`);
    points.push({ size, value: recall! });
  }
  return {
    name: "memories",
    sizes: "memories",
    series: [{ name: "a one-shot that recalls", unit: "ms", limit: "linear", points }],
  };
}

async function fill(path: string, from: number, to: number, words: readonly string[]): Promise<void> {
  await using opened = await openEngine(openSqliteStore({ path, clock: { now: () => Date.now() } }));
  for (let start = from; start < to; start += BATCH)
    await opened.engine.remember(
      Array.from({ length: Math.min(BATCH, to - start) }, (_, offset) => ({
        ...observation(start + offset, words),
        scope: { kind: "global" as const },
      })),
    );
}
