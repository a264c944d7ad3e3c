import { expect, test } from "bun:test";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { StoreError } from "../core/errors.ts";
import type { TransferItem, TransferSource } from "../core/memory/transfer-item.ts";
import type { StatefulStore } from "../core/ports/engine-state.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import type { Screen } from "../core/ports/screen.ts";
import {
  addAll,
  byAgent,
  fact,
  idOf,
  NOW,
  PROJECT,
  search,
  summaryOf,
} from "../store/conformance/memories.ts";
import { openMarkdownStore } from "../store/markdown/open-store.ts";
import { openConnection } from "../store/sqlite/driver.ts";
import { readForeignDatabase } from "../store/sqlite/foreign/read-database.ts";
import { openSqliteStore } from "../store/sqlite/open-store.ts";
import { importItems } from "./import-items.ts";
import { readJsonLines, writeJsonLines } from "./json-lines.ts";
import { splitLines } from "./split-lines.ts";
import { storeSource } from "./store-source.ts";

const clock = { now: () => NOW };
const open = (path = ":memory:"): Promise<StatefulStore> => openSqliteStore({ path, clock });

const nothing: Screen = { screen: async (text) => ({ text, findings: [] }) };
/** Takes the word "hunter2" out. */
const screen: Screen = {
  screen: async (text) => ({
    text: text.replaceAll("hunter2", "[redacted:password]"),
    findings: [...text.matchAll(/hunter2/g)].map(({ index }) => ({
      rule: "password",
      category: "secret",
      offset: index,
      length: 7,
    })),
  }),
};

async function* bytes(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) found.push(one);
  return found;
}

async function* from(...items: TransferItem[]): TransferSource {
  yield* items;
}

async function filled(): Promise<StatefulStore> {
  const store = await open();
  const results = await addAll(
    store,
    fact("We use npm.", { subject: "package manager", title: "Packages", files: ["a b.json"] }),
    fact("We use pnpm.", { subject: "package manager", at: NOW + 1 }),
    fact('line\u2028separator\n"quoted" \\ 😀', { kind: "prompt", attachment: "a photo" }),
    fact("maybe", { state: "candidate", provenance: byAgent }),
    fact("everywhere", { scope: { kind: "global" } }),
  );
  await store.mark([idOf(results[2])], { pinned: true, freshness: "stale" });
  await store.addSummary(summaryOf("s1", { request: "why" }));
  return store;
}

test("an export as JSON Lines is the whole store, whatever the parts it comes in", async () => {
  const source = await filled();
  const lines = (await all(writeJsonLines(storeSource(source)))).join("");
  const pieces = lines.match(/[\s\S]{1,7}/gu) ?? [];
  const copy = await open();
  const report = await importItems(readJsonLines(bytes(...pieces)), {
    store: copy,
    screen: nothing,
    provenance: "as-written",
  });
  expect(report).toMatchObject({ read: 6, added: 5, summaries: 1, broken: 0 });
  expect(await all(storeSource(copy))).toEqual(await all(storeSource(source)));
  const again = await importItems(readJsonLines(bytes(lines)), {
    store: copy,
    screen: nothing,
    provenance: "as-written",
  });
  expect(again).toMatchObject({ read: 6, added: 0, known: 6, summaries: 0 });
  expect(await all(storeSource(copy))).toEqual(await all(storeSource(source)));
  await source.close();
  await copy.close();
});

test("an export as a folder of notes is the whole store, and comes back from there", async () => {
  await using space = await workspace();
  const source = await filled();
  const folder = await openMarkdownStore({ folder: space.home, clock, scope: PROJECT });
  const options = { screen: nothing, provenance: "as-written" } as const;
  expect(await importItems(storeSource(source), { store: folder, ...options })).toMatchObject({
    added: 5,
    summaries: 1,
  });
  const copy = await open();
  await importItems(storeSource(folder), { store: copy, ...options });
  const sorted = async (store: MemoryStore): Promise<string[]> =>
    (await all(storeSource(store))).map((item) => Bun.inspect(item, { sorted: true })).sort();
  expect(await sorted(copy)).toEqual(await sorted(source));
  for (const store of [source, folder, copy]) await store.close();
});

test("what comes in has no person's authority, unless a person says that it is their own", async () => {
  const source = await filled();
  const [known] = await source.list({ scope: PROJECT, pinned: true }, 1);
  const store = await open();
  await importItems(storeSource(source), { store, screen: nothing });
  const found = await store.list({ from: 0 }, 99);
  expect(found).toHaveLength(5);
  expect(
    found.every(
      ({ provenance, pinned }) => !pinned && !provenance.typed && provenance.author.role === "import",
    ),
  ).toBe(true);
  expect(found.find(({ id }) => id === known?.id)?.provenance).toMatchObject({
    host: "test",
    sessionId: "s1",
  });
  await source.close();
  await store.close();
});

test("each text is screened on its way in, and what was taken out is counted [R09]", async () => {
  const source = await open();
  await addAll(
    source,
    fact("the password is hunter2, really hunter2", {
      title: "hunter2",
      files: ["hunter2.txt"],
      subject: "hunter2",
      attachment: "hunter2",
    }),
  );
  await source.addSummary(summaryOf("s1", { learned: "hunter2" }));
  const store = await open();
  const report = await importItems(storeSource(source), { store, screen });
  expect(report).toMatchObject({ added: 1, summaries: 1, redactions: 7 });
  expect(JSON.stringify(await all(storeSource(store)))).not.toContain("hunter2");
  expect(await search(store, "hunter2")).toEqual([]);
  await source.close();
  await store.close();
});

test("what was erased does not come back by an import, nor in a summary of its session [R10]", async () => {
  const source = await filled();
  const store = await open();
  const [result] = await addAll(store, fact("We use pnpm."));
  await store.forget({ ids: [idOf(result)] }, NOW);
  // The title is part of what was erased; that of the source is empty, too.
  const report = await importItems(storeSource(source), { store, screen: nothing });
  expect(report).toMatchObject({ added: 4, forgotten: 2, summaries: 0 });
  expect(await search(store, "pnpm")).toEqual([]);
  await source.close();
  await store.close();
});

test("broken lines are counted and named by number and field, and the others come in", async () => {
  const source = await filled();
  const [header, ...lines] = await all(writeJsonLines(storeSource(source)));
  const wrong = (change: (memory: Record<string, unknown>) => void): string => {
    const { memory } = JSON.parse(lines[0]!) as { memory: Record<string, unknown> };
    change(memory);
    return `${JSON.stringify({ memory })}\n`;
  };
  const file = [
    header!,
    "no json\n",
    wrong((memory) => delete memory["text"]),
    wrong((memory) => {
      memory["kind"] = "spell";
    }),
    wrong((memory) => {
      memory["scope"] = { kind: "project", id: "" };
    }),
    '{"other": 1}\n',
    "null\n",
    "\n",
    lines[1]!.trimEnd(),
  ];
  const store = await open();
  const report = await importItems(readJsonLines(bytes(...file)), { store, screen: nothing });
  expect(report).toMatchObject({ added: 1, broken: 6 });
  expect(report.brokenItems).toEqual([
    { where: "line 2", reason: "it is no JSON" },
    { where: "line 3", reason: 'its field "text" is missing' },
    { where: "line 4", reason: 'its field "kind" is wrong' },
    { where: "line 5", reason: 'its field "scope" is wrong' },
    { where: "line 6", reason: "it is neither a memory nor a summary" },
    { where: "line 7", reason: "it is no object" },
  ]);
  await source.close();
  await store.close();
});

test("a file of a newer version is told as one and not guessed at", async () => {
  const found = await all(
    readJsonLines(bytes('{"format":"agentic-remem","version":2}\n', '{"thought": 1}\n')),
  );
  expect(found).toEqual([
    {
      type: "broken",
      where: "line 1",
      reason: "a newer version wrote this file: use that version to read it",
    },
  ]);
});

test("a line that is too long is left out without being kept", async () => {
  const long = Array.from({ length: 50 }, () => "x".repeat(10));
  expect(await all(splitLines(bytes("one\n", ...long, "\ntwo"), 100))).toEqual(["one", undefined, "two"]);
});

test("an import keeps a part of its source at a time, stops when it is told to, and keeps what it stored", async () => {
  const store = await open();
  const [result] = await addAll(store, fact("template"));
  const [template] = await store.get([idOf(result)]);
  let read = 0;
  async function* endless(): TransferSource {
    for (;;) yield { type: "memory", record: { ...template!, id: `e${read++}`, text: `endless ${read}` } };
  }
  const stop = new AbortController();
  const seen: number[] = [];
  const running = importItems(endless(), {
    store,
    screen: nothing,
    signal: stop.signal,
    onProgress: ({ added }) => {
      seen.push(read - added);
      if (added >= 1000) stop.abort();
    },
  });
  await expect(running).rejects.toThrow();
  expect(Math.max(...seen)).toBe(0);
  expect((await store.status()).memories).toBe(1001);
  await store.close();
});

const CLAUDE_MEM = `
  CREATE TABLE sdk_sessions(id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT);
  CREATE TABLE observations(id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT,
    subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER,
    created_at TEXT, created_at_epoch INTEGER);
  CREATE TABLE session_summaries(id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, investigated TEXT,
    learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT,
    created_at_epoch INTEGER);
  CREATE TABLE user_prompts(id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT,
    created_at TEXT, created_at_epoch INTEGER);
  INSERT INTO sdk_sessions VALUES(1, 'c1', 'm1', 'app');
  INSERT INTO user_prompts VALUES(1, 'c1', 1, 'why is the zebra slow?', '2026-01-02T03:04:05.678Z', 1767323045678);
  INSERT INTO observations VALUES(1, 'm1', 'app', NULL, 'bugfix', 'Zebra lock', 'It was held too long', '["held 3 s", "now 3 ms"]',
    'The lock was taken before the read.', '["locking"]', '["a.ts"]', '["b.ts","a.ts"]', 1, '2026-01-02T03:04:06Z', 1767323046000);
  INSERT INTO observations VALUES(2, NULL, NULL, '', 'oddity', '', NULL, 'no json', NULL, NULL, '', NULL, NULL, 'never', NULL);
  INSERT INTO observations VALUES(3, 'm1', 'app', '', 'security_alert', '', NULL, '[]', '', '[]', '[]', '[]', 1, '2026', 1);
  INSERT INTO session_summaries VALUES(1, 'm1', 'app', 'make it fast', 'locks', 'hold them short', 'done', 'none', '[]', '[]',
    'hunter2', '2026-01-02', 1767323047000);`;

const PI_GO = `
  CREATE TABLE sessions(id INTEGER PRIMARY KEY, session_id TEXT UNIQUE, project TEXT, started_at DATETIME, status TEXT);
  CREATE TABLE observations(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, project TEXT, title TEXT, type TEXT, text TEXT,
    source_files TEXT, created_at DATETIME);
  CREATE TABLE session_summaries(id INTEGER PRIMARY KEY, session_id TEXT, project TEXT, request TEXT, investigated TEXT, learned TEXT,
    completed TEXT, next_steps TEXT, created_at DATETIME);
  INSERT INTO observations VALUES(1, 'g1', 'app', 'Chose zod', 'decision', 'because of its size', 'a.ts, b.ts', '2026-01-02 03:04:05Z');`;

async function database(path: string, sql: string): Promise<string> {
  const connection = await openConnection(path);
  connection.run(sql);
  connection.close();
  return path;
}

test("imports a claude-mem database: prompts, observations with all their columns, summaries; twice is once", async () => {
  await using space = await workspace();
  const path = await database(join(space.home, "claude-mem.db"), CLAUDE_MEM);
  const before = await Bun.file(path).bytes();
  const store = await open();
  const read = (): TransferSource =>
    readForeignDatabase({
      path,
      clock,
      scopeOf: (project) => ({ kind: "project", id: project === "" ? "none" : "p" }),
    });
  const report = await importItems(read(), { store, screen });
  expect(report).toMatchObject({ read: 5, added: 3, summaries: 1, broken: 1, redactions: 1 });
  expect(report.brokenItems).toEqual([{ where: "observations 3", reason: "it has no text" }]);
  const [observation] = await store.list({ scope: PROJECT, kinds: ["bugfix"] }, 5);
  expect(observation).toMatchObject({
    title: "Zebra lock",
    text: "It was held too long\n\nThe lock was taken before the read.\n\n- held 3 s\n- now 3 ms",
    attachment: "locking",
    files: ["b.ts", "a.ts"],
    at: 1767323046000,
    freshness: "unknown",
    provenance: { host: "claude-mem", sessionId: "m1", author: { role: "import" }, typed: false },
  });
  expect(await store.list({ scope: PROJECT, kinds: ["prompt"] }, 5)).toMatchObject([
    { text: "why is the zebra slow?", at: 1767323045678, provenance: { sessionId: "c1" } },
  ]);
  expect(await store.list({ scope: { kind: "project", id: "none" } }, 5)).toMatchObject([
    { kind: "discovery", at: NOW },
  ]);
  expect(await store.summaries("p", 5)).toMatchObject([
    { request: "make it fast", learned: "hold them short\n[redacted:password]" },
  ]);
  expect(await importItems(read(), { store, screen })).toMatchObject({ added: 0, known: 4, summaries: 0 });
  expect(await search(store, "zebra")).toHaveLength(2);
  expect(await Bun.file(path).bytes()).toEqual(before);
  await store.close();
});

test("imports a pi-go database", async () => {
  await using space = await workspace();
  const path = await database(join(space.home, "memory.db"), PI_GO);
  const store = await open();
  expect(await importItems(readForeignDatabase({ path, clock }), { store, screen })).toMatchObject({
    added: 1,
    broken: 0,
  });
  expect(await store.list({ scope: { kind: "project", id: "app" } }, 5)).toMatchObject([
    {
      title: "Chose zod",
      kind: "decision",
      text: "because of its size",
      files: ["a.ts", "b.ts"],
      at: Date.parse("2026-01-02T03:04:05Z"),
      provenance: { host: "pi-go", author: { role: "import" } },
    },
  ]);
  await store.close();
});

test("says so when a database is none that is known, is ours, or is not there", async () => {
  await using space = await workspace();
  const codeOf = async (path: string): Promise<unknown> => {
    const error: unknown = await all(readForeignDatabase({ path, clock })).catch((reason: unknown) => reason);
    return StoreError.is(error) ? error.code : error;
  };
  expect(await codeOf(await database(join(space.home, "other.db"), "CREATE TABLE x(y)"))).toBe(
    "foreign_layout",
  );
  const own = join(space.home, "own.db");
  await (await open(own)).close();
  expect(await codeOf(own)).toBe("foreign_layout");
  expect(await codeOf(join(space.home, "none.db"))).toBe("unavailable");
  await Bun.write(join(space.home, "text.db"), "just words ".repeat(100));
  expect(await codeOf(join(space.home, "text.db"))).toBe("corrupt");
});

test("notes that cannot be read are named in the report of an import", async () => {
  await using space = await workspace();
  await Bun.write(join(space.home, "good.md"), "a good zebra");
  await Bun.write(join(space.home, "bad.md"), "---\nid: x\nkind: [\n---\nbad");
  const folder = await openMarkdownStore({ folder: space.home, clock, scope: PROJECT });
  const store = await open();
  const report = await importItems(storeSource(folder), { store, screen });
  expect(report).toMatchObject({ added: 1, broken: 1 });
  expect(report.brokenItems[0]?.where).toBe("note bad.md");
  expect(await importItems(from(), { store, screen })).toMatchObject({ read: 0 });
  await folder.close();
  await store.close();
});
