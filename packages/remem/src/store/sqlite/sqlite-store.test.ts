import { expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canary, workspace } from "@pi-ts/testkit";
import { StoreError } from "../../core/errors.ts";
import type { NewMemory } from "../../core/memory/record.ts";
import type { StatefulStore } from "../../core/ports/engine-state.ts";
import { describeChanges } from "../conformance/changes-conformance.ts";
import { describeEngineState } from "../conformance/engine-state-conformance.ts";
import { typed } from "../conformance/memories.ts";
import { describeMemoryStore } from "../conformance/memory-store-conformance.ts";
import { describeScopes } from "../conformance/scopes-conformance.ts";
import { openConnection } from "./driver.ts";
import { openSqliteStore } from "./open-store.ts";

const clock = { now: () => Date.UTC(2026, 0, 1) };
const scope = { kind: "project", id: "p" } as const;
const open = (path: string): Promise<StatefulStore> => openSqliteStore({ path, clock });
const fact = (text: string): { memory: NewMemory } => ({
  memory: { kind: "fact", scope, text, provenance: typed },
});

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (StoreError.is(error)) return error.code;
    throw error;
  }
  return "no error";
}

const inMemory = (): Promise<StatefulStore> => open(":memory:");
describeMemoryStore("SQLite", inMemory);
describeChanges("SQLite", inMemory);
describeScopes("SQLite", inMemory);
describeEngineState("SQLite", inMemory);

test("makes the file and its folder readable by their owner only", async () => {
  await using space = await workspace();
  const path = join(space.home, "deep/memory/store.db");
  const store = await open(path);
  await store.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(space.home, "deep/memory")).mode & 0o777).toBe(0o700);
});

test("what was forgotten is in no byte of any file [R10]", async () => {
  await using space = await workspace();
  const word = canary("xylophonequartz");
  const store = await open(join(space.home, "store.db"));
  try {
    const others = Array.from({ length: 300 }, (_, index) =>
      fact(`note ${index} about xylem and xylophones and quartz`),
    );
    await store.add(others);
    const vector = { fingerprint: "space", packed: { values: Int8Array.of(1, 2), scale: 1 } };
    const [added] = await store.add([{ ...fact(`the plan is ${word.word} for real`), vector }]);
    await store.add(others.map(({ memory }) => fact(`${memory.text} again`)));
    await store.addSummary({
      sessionId: "s1",
      project: "p",
      request: word.word,
      investigated: "",
      learned: "",
      completed: "",
      nextSteps: "",
      at: 1,
    });
    expect(() => word.absentFrom(space.home)).toThrow();
    if (added?.outcome !== "added") throw new Error("not added");
    await store.forget({ ids: [added.id] }, 1);
    word.absentFrom(space.home);
    expect(await store.check()).toEqual([]);
  } finally {
    await store.close();
  }
});

test("memories survive closing and opening again", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const first = await open(path);
  await first.add([fact("kept")]);
  await first.close();
  const second = await open(path);
  expect((await second.list({ scope }, 5)).map(({ text }) => text)).toEqual(["kept"]);
  await second.close();
});

test("two connections see each other's writes at once", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const [one, two] = [await open(path), await open(path)];
  await one.add([fact("from the first")]);
  expect((await two.list({ scope }, 5)).map(({ text }) => text)).toEqual(["from the first"]);
  await one.close();
  await two.close();
});

test("counts a frequent term right when another program writes and erases between two questions", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const [asking, other] = [await open(path), await open(path)];
  const count = async (): Promise<number | undefined> =>
    (
      await asking.lexical({ terms: ["frequent"], scopes: [scope], states: ["active"], limit: 1 })
    ).statistics.frequency.get("frequent");
  const many = (from: number, length: number) =>
    Array.from({ length }, (_, index) => fact(`frequent ${from + index}`));
  await asking.add(many(0, 600));
  expect(await count()).toBe(600);
  const [added] = await other.add(many(600, 7));
  expect(await count()).toBe(607);
  if (added?.outcome !== "added") throw new Error("not added");
  await other.forget({ ids: [added.id] }, 1);
  await other.add(many(607, 1));
  expect(await count()).toBe(607);
  await asking.close();
  await other.close();
});

test("says who is in the way when another program holds the store for too long [R01]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const store = await openSqliteStore({ path, clock, busyTimeoutMs: 1 });
  const other = await openConnection(path);
  other.run("BEGIN IMMEDIATE");
  expect(await codeOf(store.add([fact("waits")]))).toBe("busy");
  other.run("ROLLBACK");
  expect((await store.add([fact("waits")]))[0]?.outcome).toBe("added");
  other.close();
  await store.close();
});

test("leaves a newer layout, a changed step and another program's tables alone", async () => {
  await using space = await workspace();
  const newer = join(space.home, "newer.db");
  await (await open(newer)).close();
  const connection = await openConnection(newer);
  connection.run("INSERT INTO remem_migrations(id, name, checksum) VALUES(1000, 'later', 'x')");
  expect(await codeOf(open(newer))).toBe("newer_version");
  connection.run(
    "DELETE FROM remem_migrations WHERE id = 1000; UPDATE remem_migrations SET checksum = 'y' WHERE id = 2",
  );
  expect(await codeOf(open(newer))).toBe("changed_migration");
  connection.close();
  const foreign = join(space.home, "foreign.db");
  const other = await openConnection(foreign);
  other.run("CREATE TABLE observations(id INTEGER PRIMARY KEY, narrative TEXT)");
  expect(await codeOf(open(foreign))).toBe("foreign_layout");
  expect(other.prepare("SELECT count(*) AS n FROM sqlite_master").get()?.["n"]).toBe(1);
  other.close();
});

test("finds what a program of the base layout wrote, and keeps a copy of its database", async () => {
  await using space = await workspace();
  const path = join(space.home, "claude-mem.db");
  const before = await openConnection(path);
  before.run(`
    CREATE TABLE sessions(id INTEGER PRIMARY KEY, session_id TEXT UNIQUE, project TEXT, started_at DATETIME, status TEXT);
    CREATE TABLE observations(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, project TEXT, title TEXT, type TEXT,
      text TEXT, source_files TEXT, created_at DATETIME);
    CREATE TABLE session_summaries(id INTEGER PRIMARY KEY, session_id TEXT, project TEXT, request TEXT, investigated TEXT,
      learned TEXT, completed TEXT, next_steps TEXT, created_at DATETIME);
    INSERT INTO observations(session_id, project, title, type, text, source_files, created_at)
      VALUES('old', 'p', 'Chose zod', 'decision', 'because of size', '["a.ts"]', '2026-01-02 03:04:05Z');
  `);
  before.close();
  const store = await open(path);
  const [record] = await store.list({ scope }, 5);
  expect(record).toMatchObject({
    title: "Chose zod",
    kind: "decision",
    files: ["a.ts"],
    at: Date.parse("2026-01-02T03:04:05Z"),
    provenance: { host: "pi-go", sessionId: "old", author: { role: "agent" }, typed: false },
  });
  expect(
    (await store.lexical({ terms: ["zod"], scopes: [scope], states: ["active"], limit: 5 })).rows,
  ).toHaveLength(1);
  expect(await store.check()).toEqual([]);
  await store.close();
  expect(readdirSync(space.home).filter((name) => name.startsWith("claude-mem.db.bak-"))).toHaveLength(1);
});

test("a file that is no database is called damaged and stays as it is", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const content = "this is no database, but long enough to be taken for one ".repeat(20);
  writeFileSync(path, content);
  expect(await codeOf(open(path))).toBe("corrupt");
  expect(await Bun.file(path).text()).toBe(content);
});
