import { describe, expect, test } from "bun:test";
import type { CorrectionRecord, ProjectAlias, StatefulStore } from "../../core/ports/engine-state.ts";
import type { RecallTrace } from "../../core/trace/recall-trace.ts";
import { packVector } from "../../core/vectors/packed-vector.ts";
import { TRACES_IN_ALL, TRACES_OF_A_SESSION } from "../shared/limits.ts";
import { addAll, byAgent, fact, idOf, NOW, opened, SPACE, search, typed } from "./memories.ts";

const gitDir = (value: string): ProjectAlias => ({ kind: "git-dir", value });
const remote = (value: string): ProjectAlias => ({ kind: "remote", value });
const project = (id: string) => ({ kind: "project", id }) as const;

const trace = (id: string, sessionId: string, more: Partial<RecallTrace> = {}): RecallTrace => ({
  id,
  sessionId,
  at: NOW,
  kind: "prompt",
  prompt: "which port?",
  terms: ["port"],
  decision: "injected",
  relevance: 0.5,
  budget: 1024,
  tokens: 12,
  milliseconds: 1.5,
  attempts: [{ provider: "store", outcome: "ok", milliseconds: 1, found: 1 }],
  hits: [],
  ...more,
});

const correction = (id: string, more: Partial<CorrectionRecord> = {}): CorrectionRecord => ({
  id,
  revision: 1,
  state: "pending",
  project: "p",
  sessionId: "s9",
  prompt: "which port?",
  statement: "The port is 9090.",
  disputed: [],
  findings: [],
  at: NOW,
  ...more,
});

/** What every store must do that keeps the engine's state. */
export function describeEngineState(name: string, open: () => Promise<StatefulStore>): void {
  const withStore = opened(open);

  describe(`${name} as the engine's state`, () => {
    test("knows a project again by any alias, and learns its new ones [R02]", () =>
      withStore(async ({ state }) => {
        const first = await state.resolveProject([gitDir("/a/.git")], { rootCommit: "c1" }, NOW);
        expect(first).toMatchObject({ isNew: true, proposals: [] });
        const second = await state.resolveProject([remote("r1"), gitDir("/a/.git")], {}, NOW + 1);
        expect(second.isNew).toBe(false);
        expect(second.project).toEqual({
          key: first.project.key,
          aliases: [gitDir("/a/.git"), remote("r1")],
          evidence: { rootCommit: "c1" },
          seenAt: NOW + 1,
        });
        const moved = await state.resolveProject(
          [gitDir("/b/.git"), remote("r1")],
          { rootCommit: "c1" },
          NOW + 2,
        );
        expect(moved.project.key).toBe(first.project.key);
        expect(await state.projects()).toHaveLength(1);
      }));

    test("a remote of another history joins nothing, and is proposed [R02]", () =>
      withStore(async ({ state }) => {
        const known = await state.resolveProject(
          [gitDir("/a/.git"), remote("r1")],
          { rootCommit: "c1" },
          NOW,
        );
        const claims = [gitDir("/b/.git"), remote("r1")];
        const other = await state.resolveProject(claims, { rootCommit: "c2" }, NOW + 1);
        expect(other.isNew).toBe(true);
        expect(other.proposals.map(({ project }) => project.key)).toEqual([known.project.key]);
        const again = await state.resolveProject([remote("r1")], { rootCommit: "c1" }, NOW + 2);
        expect(again.project.key).toBe(known.project.key);
      }));

    test("another repository at an old place is another project, and the place is its own from then on [R02]", () =>
      withStore(async ({ state }) => {
        const old = await state.resolveProject([gitDir("/a/.git"), remote("r1")], { rootCommit: "c1" }, NOW);
        const fresh = await state.resolveProject([gitDir("/a/.git")], { rootCommit: "c2" }, NOW + 1);
        expect(fresh.isNew).toBe(true);
        expect(fresh.project.key).not.toBe(old.project.key);
        const again = await state.resolveProject([gitDir("/a/.git")], { rootCommit: "c2" }, NOW + 2);
        expect(again).toMatchObject({ isNew: false, project: { key: fresh.project.key } });
        expect((await state.projects()).map(({ aliases }) => aliases)).toEqual([
          [gitDir("/a/.git")],
          [remote("r1")],
        ]);
      }));

    test("aliases of two projects: the place decides, and the other is proposed, never joined [R02]", () =>
      withStore(async ({ state }) => {
        const one = await state.resolveProject([gitDir("/a/.git")], {}, NOW);
        const two = await state.resolveProject([remote("r2")], {}, NOW);
        const both = await state.resolveProject([remote("r2"), gitDir("/a/.git")], {}, NOW);
        expect(both.project.key).toBe(one.project.key);
        expect(both.proposals).toMatchObject([{ project: { key: two.project.key } }]);
        expect(both.proposals[0]?.because).toContain("r2");
        expect(await state.projects()).toHaveLength(2);
      }));

    test("proposes a project that begins with the same commit [R02]", () =>
      withStore(async ({ state }) => {
        const one = await state.resolveProject([gitDir("/a/.git")], { rootCommit: "c1" }, NOW);
        const clone = await state.resolveProject([gitDir("/b/.git")], { rootCommit: "c1" }, NOW);
        expect(clone.isNew).toBe(true);
        expect(clone.proposals.map((proposal) => proposal.project.key)).toEqual([one.project.key]);
      }));

    test("refuses a project without any name", () =>
      withStore(async ({ state }) => {
        await expect(state.resolveProject([], {}, NOW)).rejects.toThrow("needs a name");
      }));

    test("linked projects are one: aliases, memories, words, vectors, and what is said in the old name [R02]", () =>
      withStore(async (store) => {
        const { state } = store;
        const from = (await state.resolveProject([remote("r1")], {}, NOW)).project.key;
        const into = (await state.resolveProject([gitDir("/a/.git")], {}, NOW)).project.key;
        const packed = packVector(Float32Array.of(1, 0))!;
        await store.add([
          { memory: fact("zebra moved", { scope: project(from) }), vector: { fingerprint: SPACE, packed } },
          { memory: fact("zebra stayed", { scope: project(into) }), vector: { fingerprint: SPACE, packed } },
        ]);
        const before = (await store.vectors(SPACE, 0)).erasures;
        expect(await state.linkProjects(from, into)).toBe(1);
        expect((await search(store, "zebra", [project(into)])).sort()).toEqual([
          "zebra moved",
          "zebra stayed",
        ]);
        const { erasures, vectors } = await store.vectors(SPACE, 0);
        expect(erasures).toBeGreaterThan(before);
        const numbers = await store.scopeNumbers([project(into)]);
        expect(vectors.filter((vector) => numbers.has(vector.scope))).toHaveLength(2);
        // A program that still holds the old key writes to the same place.
        await store.add([{ memory: fact("zebra late", { scope: project(from) }) }]);
        expect(await store.list({ scope: project(into) }, 9)).toHaveLength(3);
        expect(await store.list({ scope: project(from) }, 9)).toHaveLength(3);
        expect(await addAll(store, fact("zebra moved", { scope: project(into) }))).toMatchObject([
          { outcome: "known" },
        ]);
        expect(await state.projects()).toMatchObject([
          { key: into, aliases: [gitDir("/a/.git"), remote("r1")] },
        ]);
        expect(await state.linkProjects(from, into)).toBe(0);
        expect(await store.check()).toEqual([]);
      }));

    test("linking settles what both say on a subject, and merges what they say alike [R11]", () =>
      withStore(async (store) => {
        const said = (text: string, id: string, more = {}) => fact(text, { scope: project(id), ...more });
        const [older] = await addAll(
          store,
          said("port 1", "x", { subject: "port" }),
          said("port 2", "y", { subject: "port", at: NOW + 1 }),
          said("same", "x"),
          said("same", "y"),
          said("agent says tabs", "x", { subject: "indent", at: NOW + 2, provenance: byAgent }),
          said("person says spaces", "y", { subject: "indent" }),
        );
        expect(await store.state.linkProjects("x", "y")).toBe(3);
        const active = await store.list({ scope: project("y"), states: ["active"] }, 9);
        expect(active.map(({ text }) => text).sort()).toEqual(["person says spaces", "port 2", "same"]);
        expect((await store.get([idOf(older)]))[0]?.state).toBe("superseded");
        expect(await store.list({ scope: project("y"), states: ["candidate"] }, 9)).toHaveLength(1);
      }));

    test("what was erased in a project stays erased when it is linked to another [R10]", () =>
      withStore(async (store) => {
        const [result] = await addAll(store, fact("secret plan", { scope: project("x") }));
        await store.forget({ ids: [idOf(result)] }, NOW);
        await store.state.linkProjects("x", "y");
        expect(await addAll(store, fact("secret plan", { scope: project("y") }))).toEqual([
          { outcome: "forgotten" },
        ]);
      }));

    test("gives the newest traces, of a session or of all, as they were", () =>
      withStore(async ({ state }) => {
        const traces = [trace("t1", "s1"), trace("t2", "s2", { turnId: "7" }), trace("t3", "s1")];
        for (const one of traces) await state.addTrace(one);
        expect(await state.traces({ limit: 2 })).toEqual([traces[2]!, traces[1]!]);
        expect(await state.traces({ sessionId: "s1", limit: 5 })).toEqual([traces[2]!, traces[0]!]);
      }));

    test("keeps so many traces of a session, and of all together, and no more", () =>
      withStore(async ({ state }) => {
        const sessions = TRACES_IN_ALL / TRACES_OF_A_SESSION + 1;
        for (let session = 0; session < sessions; session++)
          for (let index = 0; index <= TRACES_OF_A_SESSION; index++)
            await state.addTrace(trace(`${session}-${index}`, `s${session}`));
        const last = await state.traces({ sessionId: `s${sessions - 1}`, limit: 10_000 });
        expect(last).toHaveLength(TRACES_OF_A_SESSION);
        expect(last.at(-1)?.id).toBe(`${sessions - 1}-1`);
        expect(await state.traces({ limit: 10_000 })).toHaveLength(TRACES_IN_ALL);
        expect(await state.traces({ sessionId: "s0", limit: 10_000 })).toEqual([]);
      }));

    test("traces and corrections that may quote a memory are erased with it [R10]", () =>
      withStore(async (store) => {
        const { state } = store;
        const [gone, kept] = await addAll(
          store,
          fact("gone", { provenance: { ...typed, sessionId: "sA" } }),
          fact("kept", { provenance: { ...typed, sessionId: "sB" } }),
        );
        const hit = (id: string) => ({
          id,
          provider: "store",
          score: 1,
          parts: {},
          fate: "injected" as const,
        });
        await state.addTrace(trace("same session", "sA"));
        await state.addTrace(trace("names it", "sC", { hits: [hit(idOf(gone))] }));
        await state.addTrace(trace("stays", "sC", { hits: [hit(idOf(kept))] }));
        await state.putCorrection(correction("disputes", { disputed: [idOf(gone)] }), null);
        await state.putCorrection(correction("other"), null);
        await store.forget({ ids: [idOf(gone)] }, NOW);
        expect((await state.traces({ limit: 9 })).map(({ id }) => id)).toEqual(["stays"]);
        expect((await state.corrections(["pending"], 9)).map(({ id }) => id)).toEqual(["other"]);
      }));

    test("changes a correction only for who has seen its last revision", () =>
      withStore(async ({ state }) => {
        expect(await state.putCorrection(correction("c1"), null)).toBe(true);
        expect(await state.putCorrection(correction("c1"), null)).toBe(false);
        const validated = correction("c1", { revision: 2, state: "validated", findings: ["fine"] });
        expect(await state.putCorrection(validated, 1)).toBe(true);
        expect(await state.putCorrection(correction("c1", { revision: 2, state: "rejected" }), 1)).toBe(
          false,
        );
        await state.putCorrection(correction("c2", { at: NOW + 1 }), null);
        expect(await state.corrections(["validated", "pending"], 5)).toEqual([
          correction("c2", { at: NOW + 1 }),
          validated,
        ]);
        expect(await state.corrections(["applied"], 5)).toEqual([]);
      }));

    test("one owner holds a lease until it is given back or runs out [R06]", () =>
      withStore(async ({ state }) => {
        expect(await state.takeLease("distil", "a", NOW, NOW + 10)).toBe(true);
        expect(await state.takeLease("distil", "b", NOW + 9, NOW + 20)).toBe(false);
        expect(await state.takeLease("distil", "a", NOW + 9, NOW + 15)).toBe(true);
        expect(await state.takeLease("embed", "b", NOW, NOW + 10)).toBe(true);
        expect(await state.takeLease("distil", "b", NOW + 15, NOW + 20)).toBe(true);
        await state.giveLease("distil", "a");
        expect(await state.takeLease("distil", "c", NOW + 16, NOW + 20)).toBe(false);
        await state.giveLease("distil", "b");
        expect(await state.takeLease("distil", "c", NOW + 16, NOW + 20)).toBe(true);
      }));

    test("counts up to a cap and not beyond it [R05]", () =>
      withStore(async ({ state }) => {
        expect(await state.counter("tokens:2026-01-01")).toBe(0);
        expect(await state.spend("tokens:2026-01-01", 11, 10)).toBe(false);
        expect(await state.spend("tokens:2026-01-01", 6, 10)).toBe(true);
        expect(await state.spend("tokens:2026-01-01", 5, 10)).toBe(false);
        expect(await state.spend("tokens:2026-01-01", 4, 10)).toBe(true);
        expect(await state.counter("tokens:2026-01-01")).toBe(10);
      }));
  });
}
