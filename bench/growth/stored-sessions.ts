import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { type Cost, runOnce } from "../measure.ts";
import { benchService } from "../service.ts";
import { logOf, metaOf } from "../session-log.ts";
import { MODEL, piCommand } from "../subject.ts";
import { fastestBySize } from "./fastest.ts";
import type { Growth, GrowthShape, Limit } from "./series.ts";

/** One in so many sessions is of the project in which the commands run. */
const HERE = 10;

/** The list first: it leaves the cache in which going on finds what is elsewhere, as in a home that is in use. */
const COSTS: readonly { name: string; limit: Limit; words: readonly string[] }[] = [
  { name: "list of this project's", limit: "linear", words: ["sessions", "list"] },
  { name: "one-shot start", limit: "flat", words: [...MODEL, "-p", "hi"] },
  { name: "resume of the newest", limit: "linear", words: [...MODEL, "-c", "-p", "hi"] },
];

/** What starting, going on and listing cost with so many sessions on disk. */
export async function sessionsGrowth({ sizes, runs }: GrowthShape): Promise<Growth> {
  await using service = await benchService();
  await using stack = new AsyncDisposableStack();
  const spaces = new Map<number, Workspace>();
  for (const size of sizes) {
    const space = stack.use(await workspace({ "a.txt": "one\n" }));
    spaces.set(size, space);
    for (let index = 0; index < size; index++) writeStored(space, index);
  }
  const series = [];
  for (const { name, limit, words } of COSTS) {
    const points = await fastestBySize(runs, sizes, (size) =>
      withoutNew(spaces.get(size)!, (space) => runOnce(piCommand(space, service.url, words))),
    );
    series.push({ name, unit: "ms" as const, limit, points });
  }
  return { name: "sessions", sizes: "sessions on disk", series };
}

function folderOf(space: Workspace): string {
  return join(space.home, ".pi-go", "sessions");
}

function writeStored(space: Workspace, index: number): void {
  const id = `m${String(index).padStart(7, "0")}grow`;
  const folder = join(folderOf(space), id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const cwd = index % HERE === 0 ? space.path : `/p/${index % HERE}`;
  writeFileSync(join(folder, "meta.json"), metaOf(id, cwd));
  writeFileSync(join(folder, "events.jsonl"), logOf({ messages: 2 }));
}

/** Runs something and takes away the sessions that it made, so that the number stays what it is. */
async function withoutNew(space: Workspace, run: (space: Workspace) => Promise<Cost>): Promise<Cost> {
  const cost = await run(space);
  for (const name of readdirSync(folderOf(space)))
    if (!name.endsWith("grow")) rmSync(join(folderOf(space), name), { recursive: true, force: true });
  return cost;
}
