import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { canary, runProcess, workspace } from "@pi-ts/testkit";
import { StoreError } from "../../core/errors.ts";
import { addAll, fact, PROJECT, search } from "../conformance/memories.ts";
import { openConnection } from "./driver.ts";
import { migrate } from "./migrate.ts";
import { openSqliteStore } from "./open-store.ts";
import { SqliteStore } from "./sqlite-store.ts";

const clock = { now: () => Date.UTC(2026, 10, 30) };

async function errorOf(promise: Promise<unknown>): Promise<{ code: string; hint: string }> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!StoreError.is(error)) throw new Error("expected a StoreError", { cause: error });
  return { code: error.code, hint: error.hint };
}

test("works without shared memory between programs, as on some network drives [R01]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  // Where the shared index of the log would be, nothing can be made.
  mkdirSync(`${path}-shm`);
  const [one, two] = [await openSqliteStore({ path, clock }), await openSqliteStore({ path, clock })];
  await addAll(one, fact("apple one"));
  await addAll(two, fact("apple two"));
  expect((await search(one, "appl")).sort()).toEqual(["apple one", "apple two"]);
  await one.forget({ scope: PROJECT }, 1);
  expect(await two.check()).toEqual([]);
  await one.close();
  await two.close();
});

test("a full disk is told as one, and what was there before is still there [R01]", async () => {
  await using space = await workspace();
  const connection = await openConnection(join(space.home, "store.db"));
  migrate(connection, undefined);
  let id = 0;
  const store = new SqliteStore({ connection, now: clock.now, newId: () => `m${id++}` });
  await addAll(store, fact("fits"));
  const pages = Number(connection.prepare("PRAGMA page_count").get()?.["page_count"]);
  connection.run(`PRAGMA max_page_count = ${pages + 2}`);
  const long = "word ".repeat(20_000);
  expect(await errorOf(addAll(store, fact(long)))).toEqual({
    code: "full",
    hint: "free some space on its disk",
  });
  expect(await search(store, "fit")).toEqual(["fits"]);
  connection.run(`PRAGMA max_page_count = ${pages + 1000}`);
  expect(await addAll(store, fact(long))).toMatchObject([{ outcome: "added" }]);
  expect(await store.check()).toEqual([]);
  await store.close();
});

test("a folder that is a file is told with what to do", async () => {
  await using space = await workspace();
  const file = join(space.home, "file");
  writeFileSync(file, "");
  expect(await errorOf(openSqliteStore({ path: join(file, "store.db"), clock }))).toEqual({
    code: "unavailable",
    hint: "check that its folder exists, and that a file can be there",
  });
});

/** Permissions do not hold for root: its programs are started as somebody else. */
const asOther =
  process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
const canChange = asOther.length === 0 || Bun.which("setpriv") !== null;

test.skipIf(!canChange)(
  "a store, or its folder, that may not be written is told with what to do [R01]",
  async () => {
    await using space = await workspace();
    const folder = join(space.home, "memory");
    const path = join(folder, "store.db");
    await (await openSqliteStore({ path, clock })).close();
    // Others may pass, so that it is the store's own permissions that count.
    for (const above of [dirname(space.home), space.home]) chmodSync(above, 0o755);
    chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    const script = `
      const { openSqliteStore } = await import(${JSON.stringify(join(import.meta.dir, "open-store.ts"))});
      for (const path of ${JSON.stringify([path, join(folder, "other.db")])})
        try { await openSqliteStore({ path, clock: { now: () => 0 } }); console.log("opened"); }
        catch (error) { console.log(error.code, "|", error.hint); }`;
    const program = [...asOther, process.execPath, "--no-env-file", "-e", script];
    const { stdout, stderr } = await runProcess(program, { env: space.env(), cwd: "/" });
    chmodSync(folder, 0o755);
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toEqual([
      "read_only | check the owner and the permissions of its file and folder",
      "read_only | check the owner and the permissions of its file and folder",
    ]);
  },
);

test("a row that no version wrote keeps no other from being read, and is told of", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const store = await openSqliteStore({ path, clock });
  const other = { kind: "project", id: "q" } as const;
  await addAll(
    store,
    fact("apple one"),
    fact("apple two", { kind: "task" }),
    fact("apple three", { scope: other }),
  );
  const connection = await openConnection(path);
  connection.run(
    "UPDATE memory_scopes SET key = 'nonsense' WHERE key = 'project:q'; UPDATE memories SET kind = 'spell' WHERE kind = 'task'",
  );
  connection.close();
  expect(await search(store, "appl")).toContain("apple one");
  expect((await store.list({ from: 0 }, 9)).map(({ text }) => text)).toEqual(["apple one"]);
  expect((await store.scan(0, 2)).items).toHaveLength(1);
  expect(await store.check()).toEqual(["rows: 2 memories have a scope or a kind that is not known"]);
  await store.close();
});

test("what was erased leaves the log when the last who read from it has ended [R10]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const word = canary("xylophonequartz");
  const later: (() => void)[] = [];
  const schedule = (work: () => void): (() => void) => {
    later.push(work);
    return () => undefined;
  };
  const store = await openSqliteStore({ path, clock, busyTimeoutMs: 1, schedule });
  await addAll(store, fact(`the plan is ${word.word}`));
  const reader = await openConnection(path);
  reader.run("BEGIN");
  reader.prepare("SELECT count(*) FROM observations").get();
  await store.forget({ scope: PROJECT }, 1);
  expect(() => word.absentFrom(space.home)).toThrow();
  reader.run("ROLLBACK");
  reader.close();
  expect(later).toHaveLength(1);
  later[0]?.();
  word.absentFrom(space.home);
  await store.close();
});

test("the log is carried over when it is quiet, not within a write", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const later: (() => void)[] = [];
  const schedule = (work: () => void): (() => void) => {
    later.push(work);
    return () => undefined;
  };
  const store = await openSqliteStore({ path, clock, schedule });
  const before = statSync(path).size;
  for (let index = 0; index < 120; index++)
    await addAll(store, fact(`note ${index} about ${"many words ".repeat(50)}`));
  expect(statSync(path).size).toBe(before);
  expect(later).toHaveLength(1);
  later[0]?.();
  expect(statSync(path).size).toBeGreaterThan(before);
  await store.close();
});
