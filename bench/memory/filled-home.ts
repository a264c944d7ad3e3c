import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import { openSqliteStore } from "../../packages/remem/src/store/sqlite/open-store.ts";
import { openEngine } from "./open-engine.ts";
import { observation, questions, vocabulary } from "./synthetic-memories.ts";

const BATCH = 500;
const SEED = 7;

/** Puts so many memories, which hold in every project, where all hosts of a workspace's user look. */
export async function fillHome(space: Workspace, memories: number): Promise<void> {
  const folder = join(space.home, ".pi-go", "memory");
  mkdirSync(folder, { recursive: true });
  const clock = { now: () => Date.now() };
  const words = vocabulary();
  await using opened = await openEngine(openSqliteStore({ path: join(folder, "claude-mem.db"), clock }));
  for (let start = 0; start < memories; start += BATCH)
    await opened.engine.remember(
      Array.from({ length: Math.min(BATCH, memories - start) }, (_, offset) => ({
        ...observation(start + offset, words),
        scope: { kind: "global" as const },
      })),
    );
}

/** Questions in the words of those memories; the same ones each time. */
export function promptsFor(count: number): string[] {
  return Array.from({ length: count }, questions(SEED, vocabulary()));
}
