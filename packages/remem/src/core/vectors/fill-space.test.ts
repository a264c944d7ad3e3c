import { expect, test } from "bun:test";
import { openSqliteStore } from "../../store/sqlite/open-store.ts";
import type { NewMemory } from "../memory/record.ts";
import type { StatefulStore } from "../ports/engine-state.ts";
import { ScriptedEmbedder } from "./__fixtures__/scripted-embedder.ts";
import { type FillerOptions, SpaceFiller } from "./fill-space.ts";

const SCOPE = { kind: "project", id: "p" } as const;
const MINUTE = 60_000;

const memory = (text: string, more: Partial<NewMemory> = {}): NewMemory => ({
  kind: "fact",
  scope: SCOPE,
  text,
  provenance: { host: "test", sessionId: "s", author: { role: "user" }, typed: true },
  ...more,
});

interface Bench extends AsyncDisposable {
  readonly store: StatefulStore;
  readonly embedder: ScriptedEmbedder;
  readonly removed: string[];
  time: number;
  filler(more?: Partial<FillerOptions>): SpaceFiller;
  settled(): Promise<number>;
}

async function bench(texts: readonly string[]): Promise<Bench> {
  const store = await openSqliteStore({ path: ":memory:", clock: { now: () => 1 } });
  await store.add(texts.map((text) => ({ memory: memory(text) })));
  const embedder = new ScriptedEmbedder("new");
  const removed: string[] = [];
  const one: Bench = {
    store,
    embedder,
    removed,
    time: 1_000,
    filler: (more = {}) =>
      new SpaceFiller({
        store: {
          withoutVector: (fingerprint, limit) => store.withoutVector(fingerprint, limit),
          records: (rows) => store.records(rows),
          putVectors: (fingerprint, vectors) => store.putVectors(fingerprint, vectors),
          removeVectors: async (fingerprint) => removed.push(fingerprint),
        },
        clock: { now: () => one.time },
        embedder,
        replaced: ["old"],
        leases: store.state,
        owner: "me",
        ...more,
      }),
    settled: async () => (await store.status()).vectors["new"] ?? 0,
    [Symbol.asyncDispose]: () => store.close(),
  };
  return one;
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `a fact ${index}`);

test("a stage makes no more than it may, the next one goes on, and the old space goes when the new one is full [B-PI-08]", async () => {
  await using one = await bench(numbered(70));
  const filler = one.filler();
  expect(await filler.stage(40)).toEqual({ made: 40, outcome: "more" });
  expect(one.removed).toEqual([]);
  expect(await filler.stage(40)).toEqual({ made: 30, outcome: "full" });
  expect(one.removed).toEqual(["old"]);
  expect(one.embedder.asked.document).toHaveLength(70);
  expect(await filler.stage(40)).toEqual({ made: 0, outcome: "full" });
});

test("what was made before a crash is not made again [R13]", async () => {
  await using one = await bench(numbered(100));
  let batches = 0;
  one.embedder.before = () => {
    if (++batches === 3) throw new Error("killed");
  };
  await expect(one.filler().stage(1_000)).rejects.toThrow("killed");
  expect(await one.settled()).toBe(64);
  expect(await one.filler().stage(1_000)).toEqual({ made: 36, outcome: "full" });
  expect(await one.settled()).toBe(100);
});

test("after a failure it rests for five minutes and says why, then it goes on", async () => {
  await using one = await bench(["a"]);
  const filler = one.filler();
  one.embedder.before = () => {
    throw Object.assign(new Error("no"), { code: "unreachable" });
  };
  await expect(filler.stage(10)).rejects.toThrow("no");
  expect(filler.trouble).toBe("unreachable");
  one.embedder.before = () => undefined;
  one.time += 4 * MINUTE;
  expect(await filler.stage(10)).toEqual({ made: 0, outcome: "resting" });
  one.time += 2 * MINUTE;
  expect(await filler.stage(10)).toEqual({ made: 1, outcome: "full" });
  expect(filler.trouble).toBeUndefined();
});

test("an abort ends a stage, is no failure, and gives the work to others", async () => {
  await using one = await bench(numbered(50));
  const controller = new AbortController();
  one.embedder.before = (signal) => {
    controller.abort(new Error("enough"));
    signal?.throwIfAborted();
  };
  const filler = one.filler();
  await expect(filler.stage(100, controller.signal)).rejects.toThrow("enough");
  expect(filler.trouble).toBeUndefined();
  one.embedder.before = () => undefined;
  expect(await one.filler({ owner: "another" }).stage(100)).toEqual({ made: 50, outcome: "full" });
});

test("two processes do not make the same vectors, and a killed one holds nobody up for long [R13]", async () => {
  await using one = await bench(["a"]);
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  one.embedder.before = () => held;
  const first = one.filler().stage(10);
  expect(await one.filler({ owner: "another" }).stage(10)).toEqual({ made: 0, outcome: "elsewhere" });
  answer();
  expect((await first).made).toBe(1);
  expect(one.embedder.asked.document).toEqual(["a"]);

  await one.store.state.takeLease("vectors of new", "killed", one.time, one.time + 2 * MINUTE);
  expect((await one.filler().stage(10)).outcome).toBe("elsewhere");
  one.time += 3 * MINUTE;
  expect((await one.filler().stage(10)).outcome).toBe("full");
});

test("a text without a vector counts as settled and is not asked for again", async () => {
  await using one = await bench(["…", "a"]);
  expect(await one.filler().stage(10)).toEqual({ made: 2, outcome: "full" });
  expect(await one.filler().stage(10)).toEqual({ made: 0, outcome: "full" });
  expect(one.embedder.asked.document).toHaveLength(2);
});

test("a space of vectors that are none is a failure, not an endless loop [R13]", async () => {
  await using one = await bench(numbered(3));
  const broken: ScriptedEmbedder = Object.assign(new ScriptedEmbedder("new"), {
    embed: async (texts: readonly string[]) => texts.map(() => Float32Array.of(Number.NaN)),
  });
  await expect(one.filler({ embedder: broken }).stage(10)).rejects.toThrow("gave no vector for 3 texts");
  expect(await one.settled()).toBe(0);
});

test("the vector of a statement stands for its subject too", async () => {
  await using one = await bench([]);
  await one.store.add([{ memory: memory("tabs", { title: "Style", subject: "indentation" }) }]);
  await one.filler().stage(10);
  expect(one.embedder.asked.document).toEqual(["Style\nindentation\ntabs"]);
});
