import { describe, expect, test } from "bun:test";
import type { MemoryStore } from "../../core/ports/memory-store.ts";
import { packVector } from "../../core/vectors/packed-vector.ts";
import {
  addAll,
  byAgent,
  fact,
  idOf,
  NOW,
  OTHER,
  opened,
  PROJECT,
  SPACE,
  search,
  summaryOf,
} from "./memories.ts";

/** What every store must do, whatever it is made of. `open` gives a fresh, empty one. */
export function describeMemoryStore(name: string, open: () => Promise<MemoryStore>): void {
  const withStore = opened(open);

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
        await store.addSummary(summaryOf("s1", { request: "zanzibar" }));
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
        const elsewhere = { kind: "project", id: "never met" } as const;
        expect(
          await store.forgotten([
            fact("zanzibar plan"),
            fact("another plan"),
            fact("zanzibar plan", { scope: elsewhere }),
          ]),
        ).toEqual([true, false, false]);
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

    test("finds what a small scope has among many newer memories with the same words", () =>
      withStore(async (store) => {
        await addAll(store, fact("alpha is mine"));
        await addAll(
          store,
          ...Array.from({ length: 40 }, (_, index) => fact(`alpha is theirs ${index}`, { scope: OTHER })),
        );
        expect(await search(store, "alpha")).toEqual(["alpha is mine"]);
      }));

    test("says of each term in how many memories it is, whatever was written and erased between", () =>
      withStore(async (store) => {
        const count = async (): Promise<readonly [number, number | undefined]> => {
          const query = { terms: ["alpha"], scopes: [PROJECT], states: ["active"] as const, limit: 1 };
          const { documents, frequency } = (await store.lexical(query)).statistics;
          return [documents, frequency.get("alpha")];
        };
        const [first] = await addAll(store, fact("alpha one"), fact("beta"));
        expect(await count()).toEqual([2, 1]);
        await addAll(store, fact("alpha alpha"));
        expect(await count()).toEqual([3, 2]);
        await store.forget({ ids: [idOf(first)] }, NOW);
        expect(await count()).toEqual([2, 1]);
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

    test("removes a space that was replaced with its vectors, tells readers, and leaves the others", () =>
      withStore(async (store) => {
        await addAll(store, fact("alpha"), fact("beta"));
        const rows = (await store.withoutVector(SPACE, 10)).map(({ row }) => row);
        const vectors = rows.map((row) => ({ row, packed: packVector(Float32Array.of(1, row))! }));
        await store.putVectors(SPACE, vectors);
        await store.putVectors("newer space", vectors);
        const before = await store.vectors(SPACE, 0);
        expect(await store.removeVectors(SPACE)).toBe(2);
        const after = await store.vectors(SPACE, 0);
        expect([before.vectors.length, after.vectors.length]).toEqual([2, 0]);
        expect(after.erasures).toBeGreaterThan(before.erasures);
        expect((await store.status()).vectors).toEqual({ "newer space": 2 });
        expect(await store.removeVectors(SPACE)).toBe(0);
        expect((await store.vectors(SPACE, 0)).erasures).toBe(after.erasures);
      }));

    test("keeps sessions and gives the newest summaries first", () =>
      withStore(async (store) => {
        await store.startSession({ sessionId: "s1", project: "p", startedAt: NOW, status: "active" });
        await store.endSession("s1");
        await store.addSummary(summaryOf("s1", { nextSteps: "old" }));
        await store.addSummary(summaryOf("s1", { nextSteps: "new", at: NOW + 1 }));
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
