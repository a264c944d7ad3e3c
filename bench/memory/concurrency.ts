import { basename, join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { measureManyWriters } from "../../packages/remem/src/store/__fixtures__/many-writers.ts";
import { openSqliteStore } from "../../packages/remem/src/store/sqlite/open-store.ts";
import { type Figure, ms } from "../report.ts";
import { exactly } from "./exactly.ts";

const KILLED_AFTER = 10;
const SCRIPT = join(import.meta.dir, "../../packages/remem/src/store/sqlite/__fixtures__/writer.ts");

/** Six programs write so many memories each to one SQLite file while a seventh is killed. */
export async function benchConcurrency(each: number): Promise<Figure[]> {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const report = await measureManyWriters({
    script: SCRIPT,
    place: path,
    environment: space.env(),
    open: () => openSqliteStore({ path, clock: { now: () => Date.now() } }),
    each,
    killedAfter: KILLED_AFTER,
  });
  for (const problem of report.problems) process.stdout.write(`the store says: ${problem}\n`);
  const programs = report.runtimes.map((program) => basename(program)).join(" and ");
  const perSecond = (1_000 * report.acknowledged) / report.milliseconds;
  return [
    exactly(
      0,
      "concurrency, writers that failed",
      report.failed,
      `${report.writers} of ${programs}, one more killed`,
    ),
    exactly(0, "concurrency, acknowledged memories lost", report.lost, `of ${report.acknowledged}`),
    exactly(0, "concurrency, statements that contradict each other", report.contradictions, ""),
    exactly(
      0,
      "concurrency, problems the store finds in itself",
      report.problems.length,
      ms(report.milliseconds),
    ),
    {
      name: "concurrency, memories written a second, starts included",
      value: perSecond.toFixed(0),
      beside: "",
      goal: "",
      met: true,
    },
  ];
}
