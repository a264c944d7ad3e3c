import { expect, test } from "bun:test";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { measureManyWriters } from "../__fixtures__/many-writers.ts";
import { openSqliteStore } from "./open-store.ts";

test("six programs write to one store while a seventh is killed: nothing acknowledged is lost [R01]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const report = await measureManyWriters({
    script: join(import.meta.dir, "__fixtures__/writer.ts"),
    place: path,
    environment: space.env(),
    open: () => openSqliteStore({ path, clock: { now: () => 0 } }),
    each: 40,
    killedAfter: 10,
  });
  expect(report).toMatchObject({ writers: 6, failed: 0, lost: 0, contradictions: 0, problems: [] });
  expect(report.acknowledged).toBeGreaterThanOrEqual(6 * 40 + 10);
});
