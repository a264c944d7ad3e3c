import { workspace } from "@pi-ts/testkit";
import { measureSubagents } from "../subagents.ts";
import type { Point } from "./fit.ts";
import type { Growth, GrowthShape } from "./series.ts";

/** What so many subagents of one call cost until all are at work. Linux. */
export async function subagentsGrowth({ sizes, runs }: GrowthShape): Promise<Growth> {
  await using space = await workspace({ "a.txt": "one\n" });
  const [start, memory]: [Point[], Point[]] = [[], []];
  for (const size of sizes) {
    const [times, resident]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      const { startMs, sizes: mib } = await measureSubagents(space, size);
      times.push(startMs);
      resident.push(mib.reduce((sum, each) => sum + each, 0));
    }
    start.push({ size, value: Math.min(...times) });
    memory.push({ size, value: Math.min(...resident) });
  }
  return {
    name: "subagents",
    sizes: "parallel subagents",
    series: [
      { name: "until the last one's first request", unit: "ms", limit: "linear", points: start },
      { name: "memory of all", unit: "MiB", limit: "linear", points: memory },
    ],
  };
}
