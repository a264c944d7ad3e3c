import { describe, expect, test } from "bun:test";
import type { MemoryRecord } from "../../core/memory/record.ts";
import type { MemoryStore } from "../../core/ports/memory-store.ts";
import { packVector } from "../../core/vectors/packed-vector.ts";
import { addAll, byAgent, fact, idOf, NOW, opened, PROJECT, SPACE, search, summaryOf } from "./memories.ts";

async function everything(store: MemoryStore, limit: number): Promise<MemoryRecord[]> {
  const found: MemoryRecord[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const part: Awaited<ReturnType<MemoryStore["scan"]>> = await store.scan(after, limit);
    found.push(...part.items);
    after = part.next;
  }
  return found;
}

/** How memories change, are erased, and go from one store to another. */
export function describeChanges(name: string, open: () => Promise<MemoryStore>): void {
  const withStore = opened(open);

  describe(`${name} when memories change`, () => {
    test("pins a memory, lists pins by themselves, and lets go of them", () =>
      withStore(async (store) => {
        const [one] = await addAll(store, fact("pinned one"), fact("loose one"));
        expect(await store.mark([idOf(one)], { pinned: true })).toBe(1);
        const pins = await store.list({ scope: PROJECT, pinned: true }, 5);
        expect(pins.map(({ text, pinned }) => [text, pinned])).toEqual([["pinned one", true]]);
        await store.mark([idOf(one)], { pinned: false });
        expect(await store.list({ scope: PROJECT, pinned: true }, 5)).toEqual([]);
        expect(await store.mark(["nobody"], { pinned: true })).toBe(0);
      }));

    test("what is superseded is no longer pinned", () =>
      withStore(async (store) => {
        const [old] = await addAll(store, fact("port 1", { subject: "port" }));
        await store.mark([idOf(old)], { pinned: true });
        await addAll(store, fact("port 2", { subject: "port", at: NOW + 1 }));
        expect((await store.get([idOf(old)]))[0]).toMatchObject({ state: "superseded", pinned: false });
      }));

    test("searches the kinds asked for only", () =>
      withStore(async (store) => {
        await addAll(store, fact("apple fact"), fact("apple decision", { kind: "decision" }));
        const query = { terms: ["appl"], scopes: [PROJECT], states: ["active"] as const, limit: 5 };
        const found = await store.lexical({ ...query, kinds: ["decision"] });
        const texts = [...(await store.records(found.rows)).values()].map(({ text }) => text);
        expect(texts).toEqual(["apple decision"]);
        expect((await store.lexical({ ...query, kinds: ["lesson"] })).rows).toEqual([]);
      }));

    test("a person's new wording takes the place, the pin and the subject of the old one [R11]", () =>
      withStore(async (store) => {
        const [old] = await addAll(store, fact("Use tabz.", { subject: "indent" }));
        await store.mark([idOf(old)], { pinned: true });
        // Its clock may be behind that of the first writer.
        const result = await store.replace(idOf(old), {
          memory: fact("Use tabs.", { subject: "indent", at: NOW - 5 }),
        });
        expect(result).toMatchObject({ outcome: "added", state: "active", superseded: [idOf(old)] });
        const [before, after] = await store.get([idOf(old), idOf(result ?? undefined)]);
        expect(before).toMatchObject({ state: "superseded", supersededBy: after?.id, pinned: false });
        expect(after).toMatchObject({ text: "Use tabs.", state: "active", pinned: true });
        expect(await search(store, "tab")).toEqual(["Use tabs."]);
      }));

    test("a new subject for the same wording is a change, too", () =>
      withStore(async (store) => {
        const [old] = await addAll(store, fact("Use tabs."));
        const result = await store.replace(idOf(old), { memory: fact("Use tabs.", { subject: "indent" }) });
        expect(result).toMatchObject({ outcome: "added", superseded: [idOf(old)] });
        expect(
          (await store.list({ scope: PROJECT, states: ["active"] }, 5)).map((one) => one.subject),
        ).toEqual(["indent"]);
      }));

    test("a new wording of what is not there, or of what was erased before, changes nothing", () =>
      withStore(async (store) => {
        expect(await store.replace("nobody", { memory: fact("new") })).toBeNull();
        const [gone, kept] = await addAll(store, fact("erased text"), fact("kept text"));
        await store.forget({ ids: [idOf(gone)] }, NOW);
        expect(await store.replace(idOf(kept), { memory: fact("erased text") })).toEqual({
          outcome: "forgotten",
        });
        expect((await store.get([idOf(kept)]))[0]).toMatchObject({ state: "active", validTo: undefined });
      }));

    test("an approved candidate supersedes what held, from the moment of the approval on", () =>
      withStore(async (store) => {
        const [person] = await addAll(store, fact("Use tabs.", { subject: "indent", at: NOW + 10 }));
        const [agent] = await addAll(
          store,
          fact("Use spaces.", { subject: "indent", at: NOW, provenance: byAgent }),
        );
        await store.mark([idOf(agent)], { state: "active" });
        const [before, after] = await store.get([idOf(person), idOf(agent)]);
        expect(before).toMatchObject({ state: "superseded", supersededBy: idOf(agent) });
        expect(after).toMatchObject({ state: "active", validTo: undefined, supersededBy: undefined });
      }));

    test("what retention erased may be learned again [R06]", () =>
      withStore(async (store) => {
        await addAll(store, fact("old news"));
        expect(await store.forget({ scope: PROJECT }, NOW, { tombstones: false })).toMatchObject({
          memories: 1,
        });
        expect(await addAll(store, fact("old news"))).toMatchObject([{ outcome: "added" }]);
      }));

    test("forgetting one text leaves the vectors and words of the others", () =>
      withStore(async (store) => {
        const packed = packVector(Float32Array.of(1, 0))!;
        const [gone] = await store.add([
          { memory: fact("shared gone"), vector: { fingerprint: SPACE, packed } },
          { memory: fact("shared kept"), vector: { fingerprint: SPACE, packed } },
        ]);
        await store.forget({ ids: [idOf(gone)] }, NOW);
        expect(await search(store, "share")).toEqual(["shared kept"]);
        expect((await store.vectors(SPACE, 0)).vectors).toHaveLength(1);
        expect((await store.status()).vectors).toEqual({ [SPACE]: 1 });
      }));

    test("a copy of a store is the same, in parts of any size", async () => {
      await withStore(async (source) => {
        const results = await addAll(
          source,
          fact("We use npm.", { subject: "package manager", title: "Packages", files: ["a b.json", "ö.ts"] }),
          fact("We use pnpm.", { subject: "package manager", at: NOW + 1 }),
          fact("hello", { kind: "prompt", attachment: "a photo" }),
          fact("maybe", { state: "candidate", subject: "x", provenance: byAgent }),
          fact("everywhere", { scope: { kind: "global" } }),
        );
        await source.mark([idOf(results[2])], { pinned: true, freshness: "stale" });
        await source.addSummary(summaryOf("s1", { request: "why" }));
        await withStore(async (copy) => {
          const records = await everything(source, 2);
          expect(records).toHaveLength(5);
          for (const record of records) expect(await copy.restore([record])).toEqual(["added"]);
          expect(await everything(copy, 3)).toEqual(records);
          expect(await search(copy, "pnpm")).toEqual(["We use pnpm."]);
          expect(await copy.check()).toEqual([]);
          // Again: nothing changes.
          expect(await copy.restore(records)).toEqual(records.map(() => "known"));
          expect(await everything(copy, 100)).toEqual(records);
        });
        expect((await source.scanSummaries(0, 5)).items).toEqual([summaryOf("s1", { request: "why" })]);
      });
    });

    test("a restored statement meets what is known on its subject, and what was erased stays away [R10] [R11]", () =>
      withStore(async (store) => {
        const [mine, gone] = await addAll(store, fact("port 2", { subject: "port" }), fact("gone"));
        const template = (await store.get([idOf(mine)]))[0]!;
        await store.forget({ ids: [idOf(gone)] }, NOW);
        const older = { ...template, id: "import-1", text: "port 1", at: NOW - 1 };
        const erased = { ...template, id: "import-2", text: "gone", subject: undefined };
        const same = { ...template, id: "import-3", text: "PORT  2" };
        expect(await store.restore([older, erased, same])).toEqual(["added", "forgotten", "known"]);
        expect((await store.get(["import-1"]))[0]).toMatchObject({
          state: "superseded",
          supersededBy: idOf(mine),
        });
        expect((await store.status()).byState).toEqual({ active: 1, superseded: 1 });
      }));

    test("restores all of a batch or none", () =>
      withStore(async (store) => {
        const [one] = await addAll(store, fact("template"));
        const template = (await store.get([idOf(one)]))[0]!;
        const bad = { ...template, id: "b", text: "b", scope: { kind: "project", id: "" } } as const;
        await expect(store.restore([{ ...template, id: "a", text: "a" }, bad])).rejects.toThrow(
          "needs an id",
        );
        expect((await store.status()).memories).toBe(1);
      }));
  });
}
