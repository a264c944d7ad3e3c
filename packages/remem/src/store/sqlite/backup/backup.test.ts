import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { StoreError } from "../../../core/errors.ts";
import type { StatefulStore } from "../../../core/ports/engine-state.ts";
import { addAll, fact, idOf, NOW, PROJECT, search } from "../../conformance/memories.ts";
import { openSqliteStore } from "../open-store.ts";
import { backupSqliteStore } from "./backup-store.ts";
import { listKeptCopies } from "./list-kept.ts";
import { restoreSqliteStore } from "./restore-store.ts";
import { setAsideStore } from "./set-aside.ts";

const clock = { now: () => Date.UTC(2026, 10, 30) };
const open = (path: string): Promise<StatefulStore> => openSqliteStore({ path, clock });
const texts = async (store: StatefulStore): Promise<string[]> =>
  (await store.list({ scope: PROJECT }, 99)).map(({ text }) => text).sort();

async function errorOf(promise: Promise<unknown>): Promise<StoreError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!StoreError.is(error)) throw new Error("expected a StoreError", { cause: error });
  return error;
}

async function withText(path: string, ...words: string[]): Promise<void> {
  const store = await open(path);
  await addAll(store, ...words.map((text) => fact(text)));
  await store.close();
}

test("a backup that is made while others write is whole, and only its owner reads it", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const store = await open(path);
  await addAll(store, fact("before"));
  const file = await backupSqliteStore({ path, clock });
  await addAll(store, fact("after"));
  expect(basename(file)).toBe("store.db.bak-2026-11-30T00-00-00-000Z");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const copy = await open(file);
  expect(await texts(copy)).toEqual(["before"]);
  expect(await copy.check()).toEqual([]);
  await copy.close();
  await store.close();
});

test("two backups of one moment do not overwrite each other, and neither takes a file that is there", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  await withText(path, "kept");
  const files = [await backupSqliteStore({ path, clock }), await backupSqliteStore({ path, clock })];
  expect(new Set(files).size).toBe(2);
  const taken = join(space.home, "taken.db");
  writeFileSync(taken, "mine");
  expect((await errorOf(backupSqliteStore({ path, clock, to: taken }))).message).toContain("exists already");
  expect(readFileSync(taken, "utf8")).toBe("mine");
  expect((await errorOf(backupSqliteStore({ path: join(space.home, "none.db"), clock }))).code).toBe(
    "unavailable",
  );
});

test("restores a backup, keeps what was there, and programs that have the store open see it", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const store = await open(path);
  const [old] = await addAll(store, fact("alpha old", { subject: "x" }));
  await store.state.spend("tokens", 3, 10);
  const backup = await backupSqliteStore({ path, clock });
  await addAll(store, fact("beta new", { subject: "x", at: NOW + 1 }));
  const kept = await restoreSqliteStore({ path, clock, from: backup });
  expect(await texts(store)).toEqual(["alpha old"]);
  expect((await store.get([idOf(old)]))[0]?.state).toBe("active");
  expect(await search(store, "beta")).toEqual([]);
  expect(await search(store, "alpha")).toEqual(["alpha old"]);
  expect(await store.state.counter("tokens")).toBe(3);
  expect(await store.check()).toEqual([]);
  await addAll(store, fact("gamma"));
  expect(await texts(store)).toEqual(["alpha old", "gamma"]);
  await store.close();
  const before = await open(kept!);
  expect(await texts(before)).toEqual(["alpha old", "beta new"]);
  await before.close();
  const names = readdirSync(space.home).filter((name) => name.includes("restoring"));
  expect(names).toEqual([]);
});

test("a damaged backup, and what is no backup, change nothing", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  await withText(path, "kept");
  const backup = await backupSqliteStore({ path, clock });
  const bytes = readFileSync(backup);
  bytes.fill(0xff, Math.trunc(bytes.length / 2));
  const damaged = join(space.home, "damaged.db");
  writeFileSync(damaged, bytes);
  const text = join(space.home, "notes.txt");
  writeFileSync(text, "just words ".repeat(100));
  for (const from of [damaged, text])
    expect((await errorOf(restoreSqliteStore({ path, clock, from }))).code).toBe("corrupt");
  expect((await errorOf(restoreSqliteStore({ path, clock, from: "/nowhere.db" }))).message).toContain(
    "/nowhere.db",
  );
  const store = await open(path);
  expect(await texts(store)).toEqual(["kept"]);
  await store.close();
  expect(readdirSync(space.home).filter((name) => name.includes("restoring"))).toEqual([]);
});

test("a damaged store is kept beside the restored one", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  await withText(path, "kept");
  const backup = await backupSqliteStore({ path, clock });
  writeFileSync(path, "garbage ".repeat(600));
  const aside = await restoreSqliteStore({ path, clock, from: backup });
  expect(readFileSync(aside!, "utf8")).toStartWith("garbage");
  const store = await open(path);
  expect(await texts(store)).toEqual(["kept"]);
  await store.close();
});

test("restores to where no store is", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  await withText(path, "kept");
  const fresh = join(space.home, "fresh.db");
  expect(await restoreSqliteStore({ path: fresh, clock, from: path })).toBeUndefined();
  const store = await open(fresh);
  expect(await texts(store)).toEqual(["kept"]);
  await store.close();
  expect(statSync(fresh).mode & 0o777).toBe(0o600);
});

test("a store that cannot be used is set aside whole, and a new one takes its place [R01]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  writeFileSync(path, "garbage ".repeat(600));
  expect((await errorOf(open(path))).code).toBe("corrupt");
  writeFileSync(`${path}-wal`, "log");
  const aside = setAsideStore(path, clock.now());
  expect(readFileSync(aside, "utf8")).toStartWith("garbage");
  expect(readFileSync(`${aside}-wal`, "utf8")).toBe("log");
  await withText(path, "fresh");
});

test("lists the copies in which what was erased may still be [R10]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  await withText(path, "kept");
  const backup = await backupSqliteStore({ path, clock });
  const kept = await restoreSqliteStore({ path, clock, from: backup });
  writeFileSync(join(space.home, "store.db.bak-mine"), "not made by the engine");
  await backupSqliteStore({ path: backup, clock, to: join(space.home, "elsewhere.db") });
  const found = listKeptCopies(path);
  expect(found.map((copy) => [copy.path, copy.because]).sort()).toEqual(
    [
      [backup, "bak"],
      [kept!, "before-restore"],
    ].sort(),
  );
  expect(found.every(({ bytes }) => bytes > 0)).toBe(true);
  expect(listKeptCopies(join(space.home, "no/folder/store.db"))).toEqual([]);
});
