import { expect, test } from "bun:test";
import { openSqliteStore } from "../../store/sqlite/open-store.ts";
import { MemoryEngine } from "../engine.ts";
import type { StatefulStore } from "../ports/engine-state.ts";
import type { Timers } from "../ports/scheduler.ts";
import { ScriptedEmbedder } from "./__fixtures__/scripted-embedder.ts";
import type { VectorOptions } from "./engine-vectors.ts";

const SCOPE = { kind: "project", id: "p" } as const;
const IN_SCOPE = { scopes: [SCOPE] };

/** Timers that run out when the test says so. */
class ManualScheduler implements Timers {
  readonly waits: number[] = [];
  #tasks = new Set<() => void>();

  after(milliseconds: number, task: () => void): () => void {
    this.waits.push(milliseconds);
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }

  runOut(): void {
    for (const task of this.#tasks) task();
  }
}

interface Bench extends AsyncDisposable {
  readonly store: StatefulStore;
  readonly scheduler: ManualScheduler;
  time: number;
  engine(options: VectorOptions): MemoryEngine;
}

async function bench(): Promise<Bench> {
  const store = await openSqliteStore({ path: ":memory:", clock: { now: () => 1 } });
  const scheduler = new ManualScheduler();
  const one: Bench = {
    store,
    scheduler,
    time: 1_000,
    engine: (options) =>
      new MemoryEngine({ store, clock: { now: () => one.time }, scheduler, leases: store.state, ...options }),
    [Symbol.asyncDispose]: () => store.close(),
  };
  return one;
}

const remember = (engine: MemoryEngine, texts: readonly string[]): Promise<unknown> =>
  engine.remember(
    texts.map((text) => ({
      kind: "fact",
      scope: SCOPE,
      text,
      provenance: { host: "test", sessionId: "s", author: { role: "user" }, typed: true },
    })),
  );

/** Finds by likeness alone: none of the words occurs. */
async function found(engine: MemoryEngine, question: string): Promise<string[]> {
  return (await engine.search(question, IN_SCOPE)).hits.map(({ record }) => record.text);
}

test("while a new space is filled the old one answers, and the new one takes over when it is full [R13]", async () => {
  await using one = await bench();
  const old = new ScriptedEmbedder("old", { immediate: true });
  await remember(one.engine({ embedder: old }), ["apple pie", "banana split", "cherry cake"]);
  const wanted = new ScriptedEmbedder("new");
  const engine = one.engine({ embedder: wanted, earlier: [old] });

  expect(await engine.refreshVectors(2)).toBe(2);
  expect(await found(engine, "cucumber")).toContain("cherry cake");
  expect(wanted.asked.query).toEqual([]);
  expect(await engine.vectorStatus()).toMatchObject({
    fingerprint: "new",
    settled: 2,
    memories: 3,
    inUse: "old",
  });

  expect(await engine.refreshVectors(10)).toBe(1);
  expect(await found(engine, "cucumber")).toContain("cherry cake");
  expect(wanted.asked.query).toEqual(["cucumber"]);
  expect(await engine.vectorStatus()).toMatchObject({ settled: 3, inUse: "new", trouble: undefined });
});

test("old vectors are never compared with a question of the new space [R13]", async () => {
  await using one = await bench();
  await remember(one.engine({ embedder: new ScriptedEmbedder("old", { immediate: true }) }), ["apple pie"]);
  const engine = one.engine({ embedder: new ScriptedEmbedder("new") });
  expect(await found(engine, "avocado")).toEqual([]);
  expect(await found(engine, "pie")).toEqual(["apple pie"]);
});

test("what is remembered while a slow space is filled gets a vector of the space in use", async () => {
  await using one = await bench();
  const old = new ScriptedEmbedder("old", { immediate: true });
  await remember(one.engine({ embedder: old }), ["apple pie"]);
  const engine = one.engine({ embedder: new ScriptedEmbedder("new"), earlier: [old] });
  await remember(engine, ["banana split"]);
  expect((await one.store.status()).vectors).toEqual({ old: 2 });
  expect(await found(engine, "blueberry")).toContain("banana split");
});

test("an embedder that does not answer costs a search its budget once, and words are found all the same [R13]", async () => {
  await using one = await bench();
  const dead = new ScriptedEmbedder("new");
  const engine = one.engine({ embedder: dead, questionBudgetMs: 40 });
  await remember(engine, ["apple pie"]);
  await engine.refreshVectors(10);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let ended: AbortSignal | undefined;
  dead.before = (signal) => {
    ended = signal;
    resolve();
    return Promise.withResolvers<void>().promise;
  };
  const first = found(engine, "pie");
  await asked;
  one.scheduler.runOut();
  expect(await first).toEqual(["apple pie"]);
  expect(one.scheduler.waits).toEqual([40]);
  expect(ended?.aborted).toBe(true);
  expect(await engine.vectorStatus()).toMatchObject({ trouble: "timed_out" });

  expect(await found(engine, "pie")).toEqual(["apple pie"]);
  expect(dead.asked.query).toHaveLength(1);
  dead.before = () => undefined;
  one.time += 60_000;
  expect(await found(engine, "pie")).toEqual(["apple pie"]);
  expect(dead.asked.query).toHaveLength(2);
  expect((await engine.vectorStatus())?.trouble).toBeUndefined();
});

test("an embedder that fails is named in the status by its code, and search goes on without it [R13]", async () => {
  await using one = await bench();
  const failing = new ScriptedEmbedder("new", { immediate: true });
  failing.before = () => {
    throw Object.assign(new Error("secret words"), { code: "refused" });
  };
  const engine = one.engine({ embedder: failing });
  await remember(engine, ["apple pie"]);
  expect(await found(engine, "pie")).toEqual(["apple pie"]);
  await expect(engine.refreshVectors(10)).rejects.toThrow();
  expect(await engine.vectorStatus()).toEqual({
    fingerprint: "new",
    settled: 0,
    memories: 1,
    inUse: undefined,
    trouble: "refused",
  });
});

test("a question is embedded once, however often it is asked", async () => {
  await using one = await bench();
  const embedder = new ScriptedEmbedder("new");
  const engine = one.engine({ embedder });
  await remember(engine, ["apple pie"]);
  await engine.refreshVectors(10);
  await engine.search("avocado", IN_SCOPE);
  await engine.searchSessions("avocado", IN_SCOPE);
  expect(embedder.asked.query).toEqual(["avocado"]);
});

test("vectors that another engine of the same store makes are found, in whatever order they come", async () => {
  await using one = await bench();
  const embedder = new ScriptedEmbedder("new");
  const reader = one.engine({ embedder });
  const writer = one.engine({ embedder });
  await remember(one.engine({ embedder: new ScriptedEmbedder("other") }), ["apple pie"]);
  const immediate = one.engine({ embedder: new ScriptedEmbedder("new", { immediate: true }) });
  await remember(immediate, ["banana split"]);
  expect(await found(reader, "blueberry")).toContain("banana split");
  expect(await found(reader, "avocado")).not.toContain("apple pie");
  await writer.refreshVectors(10);
  expect(await found(reader, "avocado")).toContain("apple pie");
});

test("a caller who gives up gets their reason, not a result", async () => {
  await using one = await bench();
  const embedder = new ScriptedEmbedder("new");
  const engine = one.engine({ embedder });
  await remember(engine, ["apple pie"]);
  await engine.refreshVectors(10);
  const controller = new AbortController();
  embedder.before = () => {
    controller.abort(new Error("never mind"));
    return Promise.withResolvers<void>().promise;
  };
  await expect(engine.search("pie", { ...IN_SCOPE, signal: controller.signal })).rejects.toThrow(
    "never mind",
  );
});

test("vectors of a wrong length, of texts or of questions, end no search [R13]", async () => {
  await using one = await bench();
  const embedder = new ScriptedEmbedder("new", { immediate: true });
  const engine = one.engine({ embedder });
  await remember(engine, ["apple pie"]);
  await one.store.putVectors("new", [{ row: 1, packed: { values: new Int8Array(3).fill(1), scale: 1 } }]);
  await remember(engine, ["apple cake"]);
  expect(await found(engine, "pie")).toContain("apple pie");
  Object.assign(embedder, { embed: async () => [new Float32Array(40).fill(0.1)] });
  expect(await found(engine, "pie")).toEqual(["apple pie"]);
  expect((await engine.vectorStatus())?.trouble).toBe("bad_answer");
});

test("a text that has no vector is found by its words and is like nothing", async () => {
  await using one = await bench();
  const engine = one.engine({ embedder: new ScriptedEmbedder("new", { immediate: true }) });
  await remember(engine, ["42 is the answer", "apple pie"]);
  expect((await one.store.status()).vectors).toEqual({ new: 2 });
  expect(await found(engine, "avocado")).toEqual(["apple pie"]);
  expect(await found(engine, "answer")).toContain("42 is the answer");
});
