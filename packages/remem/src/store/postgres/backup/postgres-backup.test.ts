import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { workspace } from "@pi-ts/testkit";
import { StoreError } from "../../../core/errors.ts";
import type { StatefulStore } from "../../../core/ports/engine-state.ts";
import { addAll, fact, idOf, NOW, PROJECT, search } from "../../conformance/memories.ts";
import { pgliteDatabase, startPglite } from "../__fixtures__/pglite-database.ts";
import { openStoreIn } from "../open-store.ts";
import { backupIn, restoreIn } from "./postgres-backup.ts";

const pglite = await startPglite();
afterAll(() => pglite.close());
const database = pgliteDatabase(pglite);
const open = (schema: string): Promise<StatefulStore> =>
  openStoreIn(database, { clock: { now: () => NOW }, schema });

test("a backup brings back memories, successors, tombstones and projects, and new rows do not clash [W8][B-CLI-02]", async () => {
  await using space = await workspace();
  const store = await open("whole");
  const results = await addAll(
    store,
    fact("The port is 8080.", { subject: "port" }),
    fact("The port is 9090.", { subject: "port", at: NOW + 1 }),
    fact("Forget the walrus."),
  );
  await store.forget({ ids: [idOf(results[2]!)] }, NOW);
  const { project } = await store.state.resolveProject([{ kind: "git-dir", value: "/a/.git" }], {}, NOW);
  const before = await store.list({ scope: PROJECT }, 10);
  const counts = await backupIn(database, "whole", space.at("one.jsonl"));
  expect(counts["memories"]).toBe(2);
  expect(statSync(space.at("one.jsonl")).mode & 0o777).toBe(0o600);

  await addAll(store, fact("Added after the backup."));
  await store.forget({ ids: before.map(({ id }) => id) }, NOW);
  await restoreIn(database, "whole", { from: space.at("one.jsonl"), kept: space.at("kept.jsonl") });
  expect(await store.list({ scope: PROJECT }, 10)).toEqual(before);
  expect(readFileSync(space.at("kept.jsonl"), "utf8")).toContain("Added after the backup.");
  expect((await addAll(store, fact("Forget the walrus.")))[0]).toEqual({ outcome: "forgotten" });
  expect((await addAll(store, fact("A new walrus swims.")))[0]?.outcome).toBe("added");
  expect(await search(store, "swim")).toHaveLength(1);
  expect((await store.state.projects()).map(({ key }) => key)).toEqual([project.key]);
  expect(await store.check()).toEqual([]);
});

test("a cut, damaged or foreign file is refused before anything changes [W8]", async () => {
  await using space = await workspace();
  const store = await open("refused");
  await addAll(store, fact("It stays."));
  const file = space.at("backup.jsonl");
  await backupIn(database, "refused", file);
  const whole = readFileSync(file);
  const refused = async (): Promise<unknown> =>
    restoreIn(database, "refused", { from: file, kept: space.at("kept.jsonl") }).then(
      () => "restored",
      (error: unknown) => (StoreError.is(error) ? error.code : error),
    );
  truncateSync(file, whole.length - 30);
  expect(await refused()).toBe("corrupt");
  writeFileSync(file, whole.toString().replace('["memories"', '["nothing"'));
  expect(await refused()).toBe("corrupt");
  writeFileSync(file, "hello\n");
  expect(await refused()).toBe("corrupt");
  writeFileSync(file, whole.toString().replace('"layout":"1:', '"layout":"7:'));
  expect(await refused()).toBe("corrupt");
  expect(existsSync(space.at("kept.jsonl"))).toBe(false);
  expect((await store.list({ scope: PROJECT }, 10)).map(({ text }) => text)).toEqual(["It stays."]);
});
