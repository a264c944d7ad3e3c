import { afterAll, expect, test } from "bun:test";
import { PGlite } from "@electric-sql/pglite";
import { StoreError } from "../../core/errors.ts";
import type { StatefulStore } from "../../core/ports/engine-state.ts";
import { packVector } from "../../core/vectors/packed-vector.ts";
import { describeChanges } from "../conformance/changes-conformance.ts";
import { describeEngineState } from "../conformance/engine-state-conformance.ts";
import { addAll, fact, NOW, PROJECT, SPACE } from "../conformance/memories.ts";
import { describeMemoryStore } from "../conformance/memory-store-conformance.ts";
import { describeScopes } from "../conformance/scopes-conformance.ts";
import { openSqliteStore } from "../sqlite/open-store.ts";
import { pgliteDatabase, startPglite } from "./__fixtures__/pglite-database.ts";
import { openPostgresStore, openStoreIn } from "./open-store.ts";

const clock = { now: () => NOW };
const pglite = await startPglite();
afterAll(() => pglite.close());

let schemas = 0;
const open = (schema = `store${schemas++}`): Promise<StatefulStore> =>
  openStoreIn(pgliteDatabase(pglite), { clock, schema });

describeMemoryStore("PostgreSQL", () => open());
describeChanges("PostgreSQL", () => open());
describeScopes("PostgreSQL", () => open());
describeEngineState("PostgreSQL", () => open());

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error: unknown = await promise.then(
    () => "no error",
    (reason: unknown) => reason,
  );
  return StoreError.is(error) ? error.code : error;
}

test("memories are there when the store is opened again, and opening again changes nothing", async () => {
  const first = await open("again");
  await addAll(first, fact("kept"));
  await first.close();
  const second = await open("again");
  expect((await second.list({ scope: PROJECT }, 5)).map(({ text }) => text)).toEqual(["kept"]);
  expect(await second.check()).toEqual([]);
});

test("leaves a newer layout and a changed step alone", async () => {
  await open("newer");
  await pglite.exec("INSERT INTO newer.migrations VALUES(1000, 'later', 'x')");
  expect(await codeOf(open("newer"))).toBe("newer_version");
  await pglite.exec(
    "DELETE FROM newer.migrations WHERE id = 1000; UPDATE newer.migrations SET checksum = 'y'",
  );
  expect(await codeOf(open("newer"))).toBe("changed_migration");
});

test("vectors can be compared in SQL where pgvector is", async () => {
  const store = await open("compared");
  const of = (...values: number[]) => ({
    fingerprint: SPACE,
    packed: packVector(Float32Array.of(...values))!,
  });
  await store.add([
    { memory: fact("north"), vector: of(0, 1) },
    { memory: fact("east"), vector: of(1, 0) },
  ]);
  const { rows } = await pglite.query<{ body: string }>(
    `SELECT m.body FROM compared.memory_vectors v JOIN compared.memories m ON m.id = v.memory ORDER BY v.embedding <=> '[0.9,0.1]' LIMIT 1`,
  );
  expect(rows).toEqual([{ body: "east" }]);
});

test("works without pgvector", async () => {
  const plain = await PGlite.create();
  try {
    const store = await openStoreIn(pgliteDatabase(plain), { clock });
    const packed = packVector(Float32Array.of(0.6, -0.8))!;
    await store.add([{ memory: fact("alpha"), vector: { fingerprint: SPACE, packed } }]);
    const [found] = (await store.vectors(SPACE, 0)).vectors;
    expect([...(found?.packed.values ?? [])]).toEqual([...packed.values]);
  } finally {
    await plain.close();
  }
});

test("keeps a text with a character that the database cannot hold, with its picture in place of it", async () => {
  const store = await open();
  await addAll(store, fact("zero \0 byte", { title: "\0", files: ["a\0b"] }));
  expect(await store.list({ scope: PROJECT }, 1)).toMatchObject([
    { text: "zero \u2400 byte", title: "\u2400", files: ["a\u2400b"] },
  ]);
});

test("proposes the same candidates with the same statistics as SQLite, in any language", async () => {
  const sqlite = await openSqliteStore({ path: ":memory:", clock });
  const postgres = await open();
  const words = ["zebra", "löwe", "記憶", "память", "apple", "running", "readFile", "it's", "2026"];
  const wordAt = (index: number): string => words[index % words.length]!;
  const memories = Array.from({ length: 60 }, (_, index) =>
    fact(
      `${Array.from({ length: 1 + (index % 7) }, (_, step) => wordAt(index * 5 + step * (1 + (index % 4)))).join(" ")} number${index}`,
      { kind: index % 3 === 0 ? "decision" : "fact", files: [`src/${wordAt(index)}.ts`] },
    ),
  );
  for (const store of [sqlite, postgres]) {
    await addAll(store, ...memories);
    await store.forget(
      { ids: (await store.list({ scope: PROJECT }, 60)).slice(10, 20).map(({ id }) => id) },
      NOW,
    );
  }
  for (const terms of [
    ["zebra"],
    ["löwe", "lowe", "run"],
    ["記憶", "appl"],
    ["память", "2026"],
    ["read", "file", "none"],
  ]) {
    const query = { terms, scopes: [PROJECT], states: ["active"] as const, limit: 12 };
    const texts = async (store: StatefulStore): Promise<unknown> => {
      const { rows, statistics } = await store.lexical(query);
      const records = await store.records(rows);
      return [
        rows.map((row) => records.get(row)?.text),
        { ...statistics, frequency: [...statistics.frequency] },
      ];
    };
    expect(await texts(postgres)).toEqual(await texts(sqlite));
  }
  await sqlite.close();
});

test("a server that does not answer, and an address that is none, are told without the password", async () => {
  for (const url of [
    "postgres://ada:s3cret@127.0.0.1:1/memory",
    "postgres://ada:s3cret@[bad/memory",
    "s3cret",
  ]) {
    const error: unknown = await openPostgresStore({ url, clock }).catch((reason: unknown) => reason);
    expect(StoreError.is(error) && error.code).toBe("unavailable");
    expect(Bun.inspect(error)).not.toContain("s3cret");
  }
});
