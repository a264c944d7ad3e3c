import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { runOnce } from "../measure.ts";
import { type BenchService, benchService, prompt } from "../service.ts";
import { MODEL, piCommand } from "../subject.ts";
import { inputBoxShown, startInteractive } from "../terminal/subject.ts";
import { fastest } from "./fastest.ts";
import type { Growth, GrowthShape, Series } from "./series.ts";

/** Two levels of folders, as sources have them. */
const FOLDERS = 100;

const COSTS: readonly Omit<Series, "points">[] = [
  { name: "one-shot start", unit: "ms", limit: "flat" },
  { name: "first frame", unit: "ms", limit: "flat" },
  { name: "a run with one grep", unit: "ms", limit: "linear" },
  { name: "a run with one find", unit: "ms", limit: "linear" },
  { name: "a run with one tree", unit: "ms", limit: "linear" },
];

const CALLS = {
  "a run with one grep": { name: "grep", input: { pattern: "needle [0-9]+77\\b" } },
  "a run with one find": { name: "find", input: { pattern: "**/*77.ts" } },
  "a run with one tree": { name: "tree", input: {} },
};

/** What starts and searches cost in a git repository of so many files. */
export async function repositoryGrowth({ sizes, runs }: GrowthShape): Promise<Growth> {
  await using space = await workspace({ "a.txt": "one\n" }, { git: true });
  await using service = await benchService();
  const found: Readonly<Record<string, number>>[] = [];
  let made = 0;
  for (const size of sizes) {
    for (; made < size; made++) makeFile(space, made);
    const run = (said: string) => () => runOnce(piCommand(space, service.url, [...MODEL, "-p", said]));
    const calls = Object.entries(CALLS).map(([name, call]) => [name, run(prompt([call]))] as const);
    const costs = await fastest(runs, { "one-shot start": run("hi"), ...Object.fromEntries(calls) });
    found.push({ ...costs, "first frame": await firstFrame(space, service, runs) });
  }
  const points = (name: string) => sizes.map((size, index) => ({ size, value: found[index]![name]! }));
  return {
    name: "repository",
    sizes: "files",
    series: COSTS.map((cost) => ({ ...cost, points: points(cost.name) })),
  };
}

function makeFile(space: Workspace, index: number): void {
  const folder = join(space.path, `d${index % FOLDERS}`, `e${Math.floor(index / FOLDERS) % 50}`);
  mkdirSync(folder, { recursive: true });
  const text = `export const value${index} = "needle ${index}";\nexport default value${index};\n`;
  writeFileSync(join(folder, `file${index}.ts`), text);
}

async function firstFrame(space: Workspace, service: BenchService, runs: number): Promise<number> {
  const took: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const started = performance.now();
    await using program = startInteractive(space, service, []);
    took.push((await program.waitFor(inputBoxShown)) - started);
  }
  return Math.min(...took);
}
