import { describe, expect, test } from "bun:test";
import type { NewMemory, Provenance } from "../../core/memory/record.ts";
import type { AddResult, MemoryStore } from "../../core/ports/memory-store.ts";
import { packVector } from "../../core/vectors/packed-vector.ts";

const PROJECT = { kind: "project", id: "p" } as const;
const OTHER = { kind: "project", id: "q" } as const;
const SPACE = "space-a";
const NOW = Date.UTC(2026, 0, 1);

export const typed: Provenance = { host: "test", sessionId: "s1", author: { role: "user" }, typed: true };
export const byAgent: Provenance = { host: "test", sessionId: "s1", author: { role: "agent" }, typed: false };

const fact = (text: string, more: Partial<NewMemory> = {}): NewMemory => ({
  kind: "fact",
  scope: PROJECT,
  text,
  at: NOW,
  provenance: typed,
  ...more,
});

const addAll = (store: MemoryStore, ...memories: NewMemory[]): Promise<AddResult[]> =>
  store.add(memories.map((memory) => ({ memory })));

const idOf = (result: AddResult | undefined): string => {
  if (result === undefined || result.outcome === "forgotten") throw new Error("nothing was added");
  return result.id;
};

const search = async (
  store: MemoryStore,
  term: string,
  scopes: NewMemory["scope"][] = [PROJECT],
): Promise<string[]> => {
  const { rows } = await store.lexical({ terms: [term], scopes, states: ["active"], limit: 10 });
  const records = await store.records(rows);
  return rows.map((row) => records.get(row)?.text ?? "");
};

/** What every store must do, whatever it is made of. `open` gives a fresh, empty one. */
export function describeMemoryStore(name: string, open: () => Promise<MemoryStore>): void {
  const withStore = async (use: (store: MemoryStore) => Promise<void>): Promise<void> => {
    const store = await open();
    try {
      await use(store);
    } finally {
      await store.close();
    }
  };

  describe(`${name} as a memory store`, () => {
    test("gives back a record with all that was handed over", () =>
      withStore(async (store) => {
        const memory = fact("The port is 8080.", {
          title: "Port",
          attachment: "a photo of a port",
          files: ["src/a, b.ts", "öl.ts"],
          subject: "api port",
          provenance: {
            host: "pi",
            sessionId: "s9",
            messageId: "m1",
            author: { role: "user", name: "Ada" },
            typed: true,
          },
        });
        const [result] = await addAll(store, memory);
        const [record] = await store.get([idOf(result)]);
        const { at, ...rest } = memory;
        expect(record).toMatchObject({ ...rest, at: at!, state: "active", freshness: "current" });
        expect(record?.validTo).toBeUndefined();
      }));

    test("adds all of a batch or none", () =>
      withStore(async (store) => {
        const bad = fact("never stored", { scope: { kind: "project", id: "" } });
        await expect(addAll(store, fact("lonely good one"), bad)).rejects.toThrow(
          'scope "project" needs an id',
        );
        expect((await store.status()).memories).toBe(0);
      }));

    test("never finds or reads a memory of another scope [R02]", () =>
      withStore(async (store) => {
        const [mine, theirs] = await addAll(
          store,
          fact("alpha shared word"),
          fact("beta shared word", { scope: OTHER }),
        );
        expect(await search(store, "share")).toEqual(["alpha shared word"]);
        expect((await store.get([idOf(mine), idOf(theirs)], [OTHER])).map(({ text }) => text)).toEqual([
          "beta shared word",
        ]);
        const { rows } = await store.lexical({
          terms: ["share"],
          scopes: [OTHER],
          states: ["active"],
          limit: 10,
        });
        const near = { before: 2, after: 2 };
        expect(await store.neighbourhood(rows, near, { scopes: [PROJECT], states: ["active"] })).toEqual([]);
      }));

    test("a newer statement on a subject supersedes the older one and says so [R11]", () =>
      withStore(async (store) => {
        const [old] = await addAll(store, fact("We use npm.", { subject: "package manager" }));
        const [now] = await addAll(store, fact("We use pnpm.", { subject: "Package-Managers", at: NOW + 1 }));
        expect(now).toMatchObject({ outcome: "added", state: "active", superseded: [idOf(old)] });
        const [before] = await store.get([idOf(old)]);
        expect(before).toMatchObject({ state: "superseded", supersededBy: idOf(now), validTo: NOW + 1 });
      }));

    test("what an agent says on a subject of a person waits as a candidate until it is approved", () =>
      withStore(async (store) => {
        const [person] = await addAll(store, fact("Use tabs.", { subject: "indent" }));
        const [agent] = await addAll(
          store,
          fact("Use spaces.", { subject: "indent", at: NOW + 1, provenance: byAgent }),
        );
        expect(agent).toMatchObject({ state: "candidate", superseded: [] });
        expect(await store.mark([idOf(agent)], { state: "active" })).toBe(1);
        expect((await store.get([idOf(person), idOf(agent)])).map(({ state }) => state)).toEqual([
          "superseded",
          "active",
        ]);
      }));

    test("what is superseded takes no place among the candidates of what holds", () =>
      withStore(async (store) => {
        const versions = Array.from({ length: 30 }, (_, version) =>
          fact(`apple number ${version}`, { subject: "apple", at: NOW + version }),
        );
        await addAll(store, ...versions, fact("apple cake"));
        const { rows } = await store.lexical({
          terms: ["appl"],
          scopes: [PROJECT],
          states: ["active"],
          limit: 2,
        });
        const found = [...(await store.records(rows)).values()].map(({ text }) => text);
        expect(found.sort()).toEqual(["apple cake", "apple number 29"]);
      }));

    test("an older statement that arrives late comes in as superseded", () =>
      withStore(async (store) => {
        const [now] = await addAll(store, fact("Node 24", { subject: "node" }));
        const [late] = await addAll(store, fact("Node 20", { subject: "node", at: NOW - 1 }));
        expect(late).toMatchObject({ state: "superseded" });
        expect((await store.get([idOf(late)]))[0]?.supersededBy).toBe(idOf(now));
      }));

    test("the same statement is stored once, what was said as often as it was said", () =>
      withStore(async (store) => {
        const [first] = await addAll(store, fact("The sky is blue."));
        expect((await addAll(store, fact("the  SKY is blue.")))[0]).toEqual({
          outcome: "known",
          id: idOf(first),
        });
        await addAll(store, fact("ok", { kind: "prompt" }), fact("ok", { kind: "prompt" }));
        expect((await store.status()).memories).toBe(3);
      }));

    test("what was forgotten is gone from every answer and is not learned again [R10]", () =>
      withStore(async (store) => {
        const vector = packVector(Float32Array.of(1, 0))!;
        const [result] = await store.add([
          { memory: fact("zanzibar plan"), vector: { fingerprint: SPACE, packed: vector } },
        ]);
        await store.addSummary({
          sessionId: "s1",
          project: "p",
          request: "zanzibar",
          investigated: "",
          learned: "",
          completed: "",
          nextSteps: "",
          at: NOW,
        });
        expect(await store.forget({ ids: [idOf(result)] }, NOW)).toEqual({
          memories: 1,
          vectors: 1,
          summaries: 1,
        });
        expect(await search(store, "zanzibar")).toEqual([]);
        expect(await store.get([idOf(result)])).toEqual([]);
        expect((await store.vectors(SPACE, 0)).vectors).toEqual([]);
        expect(await store.summaries("p", 5)).toEqual([]);
        expect(await addAll(store, fact("zanzibar plan"))).toEqual([{ outcome: "forgotten" }]);
        expect(await store.check()).toEqual([]);
      }));

    test("forgetting says how many, also when there were none, and refuses to mean everything by accident", () =>
      withStore(async (store) => {
        await addAll(store, fact("one"), fact("two", { at: NOW + 5 }), fact("three", { scope: OTHER }));
        expect((await store.forget({ ids: ["nobody"] }, NOW)).memories).toBe(0);
        await expect(store.forget({}, NOW)).rejects.toThrow("names nothing");
        expect((await store.forget({ scope: PROJECT, from: NOW + 1 }, NOW)).memories).toBe(1);
        expect((await store.status()).memories).toBe(2);
      }));

    test("a superseded statement does not hold again because its successor was forgotten", () =>
      withStore(async (store) => {
        await addAll(store, fact("first", { subject: "x" }));
        const [second] = await addAll(store, fact("second", { subject: "x", at: NOW + 1 }));
        await store.forget({ ids: [idOf(second)] }, NOW);
        expect((await store.list({ scope: PROJECT }, 5)).map(({ state }) => state)).toEqual(["superseded"]);
      }));

    test("reads what was said around a hit, and a statement by itself", () =>
      withStore(async (store) => {
        const said = ["one", "two", "three", "four", "five"].map((text) => fact(text, { kind: "prompt" }));
        await addAll(store, ...said, fact("statement"));
        const limits = { scopes: [PROJECT], states: ["active"] as const };
        const rowsOf = async (term: string): Promise<readonly number[]> =>
          (await store.lexical({ terms: [term], scopes: [PROJECT], states: ["active"], limit: 5 })).rows;
        const near = await store.neighbourhood(await rowsOf("three"), { before: 1, after: 2 }, limits);
        expect(near.map(({ body }) => body).sort()).toEqual(["five", "four", "three", "two"]);
        const alone = await store.neighbourhood(await rowsOf("statement"), { before: 2, after: 2 }, limits);
        expect(alone.map(({ body }) => body)).toEqual(["statement"]);
      }));

    test("counts in how many memories a term occurs", () =>
      withStore(async (store) => {
        await addAll(store, fact("red red fish"), fact("blue fish"), fact("tree"));
        const { statistics } = await store.lexical({
          terms: ["fish", "red", "none"],
          scopes: [PROJECT],
          states: ["active"],
          limit: 5,
        });
        expect(Object.fromEntries(statistics.frequency)).toEqual({ fish: 2, red: 1, none: 0 });
        expect(statistics.documents).toBe(3);
      }));

    test("finds words that are query syntax elsewhere", () =>
      withStore(async (store) => {
        await addAll(store, fact("NEAR and OR and NOT"));
        expect(await search(store, "near")).toEqual(["NEAR and OR and NOT"]);
        expect(await search(store, "not")).toEqual(["NEAR and OR and NOT"]);
      }));

    test("gives the timeline around a memory in its session", () =>
      withStore(async (store) => {
        const results = await addAll(store, fact("a"), fact("b"), fact("c"), fact("d"));
        const texts = (await store.timeline(idOf(results[1]), 1, 1)).map(({ text }) => text);
        expect(texts).toEqual(["a", "b", "c"]);
        expect(await store.timeline("nobody", 1, 1)).toEqual([]);
      }));

    test("lists what has no vector of a space, and vectors by row once they are there", () =>
      withStore(async (store) => {
        await addAll(store, fact("alpha"), fact("beta"));
        const missing = await store.withoutVector(SPACE, 10);
        expect(missing.map(({ text }) => text)).toEqual(["alpha", "beta"]);
        const packed = packVector(Float32Array.of(0.6, -0.8))!;
        await store.putVectors(SPACE, [{ row: missing[0]!.row, packed }]);
        expect((await store.withoutVector(SPACE, 10)).map(({ text }) => text)).toEqual(["beta"]);
        const { vectors } = await store.vectors(SPACE, 0);
        expect(vectors.map(({ row, packed: stored }) => [row, [...stored.values]])).toEqual([
          [missing[0]!.row, [...packed.values]],
        ]);
        expect((await store.vectors("another space", 0)).vectors).toEqual([]);
      }));

    test("tells a reader when vectors it has loaded are no longer true", () =>
      withStore(async (store) => {
        const [result] = await addAll(store, fact("alpha"));
        const before = (await store.vectors(SPACE, 0)).erasures;
        await store.forget({ ids: [idOf(result)] }, NOW);
        expect((await store.vectors(SPACE, 0)).erasures).toBeGreaterThan(before);
      }));

    test("keeps sessions and gives the newest summaries first", () =>
      withStore(async (store) => {
        await store.startSession({ sessionId: "s1", project: "p", startedAt: NOW, status: "active" });
        await store.endSession("s1");
        const summary = {
          sessionId: "s1",
          project: "p",
          request: "r",
          investigated: "i",
          learned: "l",
          completed: "c",
        };
        await store.addSummary({ ...summary, nextSteps: "old", at: NOW });
        await store.addSummary({ ...summary, nextSteps: "new", at: NOW + 1 });
        expect((await store.summaries("p", 1)).map(({ nextSteps }) => nextSteps)).toEqual(["new"]);
        expect((await store.status()).sessions).toBe(1);
      }));

    test("finds nothing wrong with itself after writing, superseding and forgetting", () =>
      withStore(async (store) => {
        const results = await addAll(
          store,
          fact("a", { subject: "x" }),
          fact("b", { subject: "x", at: NOW + 1 }),
          fact("c"),
        );
        await store.forget({ ids: [idOf(results[0])] }, NOW);
        expect(await store.check()).toEqual([]);
        expect(await store.status()).toMatchObject({ memories: 2, byState: { active: 2 } });
      }));
  });
}
