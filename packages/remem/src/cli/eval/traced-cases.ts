import type { MemoryScope } from "../../core/memory/scope.ts";
import type { OpenedStore } from "../../runtime/memory.ts";
import type { RecallCase } from "./evaluate-cases.ts";

/** Traces read for each case that is wanted: many prompts are answered with silence. */
const READ_PER_CASE = 4;

/**
 * The newest prompts that memories were shown for, as cases: what was shown and is still there should come again. Traces keep no project, so
 * a case looks where the memories it was shown hold, and at what holds everywhere.
 */
export async function tracedCases({ memories, state }: OpenedStore, limit: number): Promise<RecallCase[]> {
  const traces = await state.traces({ limit: limit * READ_PER_CASE });
  const cases: RecallCase[] = [];
  for (const { kind, prompt, decision, hits } of traces) {
    if (cases.length === limit) break;
    if (kind !== "prompt" || decision !== "injected") continue;
    const shown = hits.filter(({ fate }) => fate === "injected").map(({ id }) => id);
    const records = (await memories.get(shown)).filter((record) => record.state !== "candidate");
    if (records.length === 0) continue;
    const own = records.map(({ scope }) => scope).filter(({ kind: scope }) => scope !== "global");
    const scopes: MemoryScope[] = [{ kind: "global" }, ...distinct(own)];
    cases.push({ query: prompt, scopes, expect: records.map(({ id }) => id) });
  }
  return cases;
}

function distinct(scopes: readonly MemoryScope[]): MemoryScope[] {
  return [...new Map(scopes.map((scope) => [JSON.stringify(scope), scope])).values()];
}
