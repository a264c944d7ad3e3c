import { describe, expect, test } from "bun:test";
import type { MemoryScope } from "../../core/memory/scope.ts";
import type { MemoryStore } from "../../core/ports/memory-store.ts";
import { packVector } from "../../core/vectors/packed-vector.ts";
import { fact, idOf, NOW, opened, SPACE } from "./memories.ts";

/** Scopes that look alike: by their ids, by their kinds, by what SQL and full-text syntax would make of them. */
const SCOPES: readonly MemoryScope[] = [
  { kind: "global" },
  { kind: "project", id: "a" },
  { kind: "project", id: "A" },
  { kind: "project", id: "ab" },
  { kind: "project", id: "a:b" },
  { kind: "project", id: "%" },
  { kind: "project", id: "a' OR '1'='1" },
  { kind: "project", id: "global" },
  { kind: "workspace", id: "a" },
  { kind: "session", id: "a" },
];

/** No method gives a row of a scope that was not asked for. */
export function describeScopes(name: string, open: () => Promise<MemoryStore>): void {
  const withStore = opened(open);

  describe(`${name} and scopes`, () => {
    test("no scope sees another, for all ordered pairs and every way to read [R02]", () =>
      withStore(async (store) => {
        const packed = packVector(Float32Array.of(1, 0))!;
        const provenance = {
          host: "test",
          sessionId: "shared",
          author: { role: "user" },
          typed: true,
        } as const;
        const results = await store.add(
          SCOPES.map((scope, index) => ({
            memory: fact(`canary number${index}`, { scope, provenance, kind: "prompt" }),
            vector: { fingerprint: SPACE, packed },
          })),
        );
        const rows = (
          await store.lexical({ terms: ["canari"], scopes: SCOPES, states: ["active"], limit: 50 })
        ).rows;
        expect(rows).toHaveLength(SCOPES.length);
        const vectors = (await store.vectors(SPACE, 0)).vectors;
        for (const [index, scope] of SCOPES.entries()) {
          const own = [`canary number${index}`];
          const hits = await store.lexical({
            terms: ["canari"],
            scopes: [scope],
            states: ["active"],
            limit: 50,
          });
          const textsOf = async (found: readonly number[]): Promise<string[]> =>
            [...(await store.records(found)).values()].map(({ text }) => text);
          expect(await textsOf(hits.rows)).toEqual(own);
          const limits = { scopes: [scope], states: ["active"] } as const;
          const near = await store.neighbourhood(rows, { before: 50, after: 50 }, limits);
          expect(await textsOf(near.map(({ row }) => row))).toEqual(own);
          expect((await store.get(results.map(idOf), [scope])).map(({ text }) => text)).toEqual(own);
          expect((await store.list({ scope }, 50)).map(({ text }) => text)).toEqual(own);
          expect((await store.timeline(idOf(results[index]), 50, 50)).map(({ text }) => text)).toEqual(own);
          const numbers = await store.scopeNumbers([scope]);
          const seen = vectors.filter((vector) => numbers.has(vector.scope)).map(({ row }) => row);
          expect(await textsOf(seen)).toEqual(own);
        }
      }));

    test("forgetting one scope leaves all others [R02] [R10]", () =>
      withStore(async (store) => {
        await store.add(SCOPES.map((scope) => ({ memory: fact("the same words", { scope }) })));
        expect((await store.forget({ scope: SCOPES[1]! }, NOW)).memories).toBe(1);
        for (const [index, scope] of SCOPES.entries())
          expect(await store.list({ scope }, 5)).toHaveLength(index === 1 ? 0 : 1);
        const again = await store.add(SCOPES.map((scope) => ({ memory: fact("the same words", { scope }) })));
        expect(again.map(({ outcome }) => outcome)).toEqual(
          SCOPES.map((_, index) => (index === 1 ? "forgotten" : "known")),
        );
      }));
  });
}
