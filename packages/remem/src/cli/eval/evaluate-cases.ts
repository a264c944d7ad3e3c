import type { MemoryEngine } from "../../core/engine.ts";
import type { MemoryRecord } from "../../core/memory/record.ts";
import type { MemoryScope } from "../../core/memory/scope.ts";

/** A question, and what should come of it. */
export interface RecallCase {
  readonly query: string;
  readonly scopes: readonly MemoryScope[];
  /** Ids, or words that stand in the memory. Empty: nothing should be recalled. */
  readonly expect: readonly string[];
}

/** How a case went. */
export interface EvaluatedCase {
  readonly query: string;
  /** The place of the first memory that was wanted, from 1; undefined: none of them came. */
  readonly best: number | undefined;
  readonly wanted: number;
  /** How many of the wanted ones came. */
  readonly found: number;
}

const LOOKED_AT = 10;

/** Asks each question again. A case that wants nothing is right (place 1) when nothing found is worth showing. */
export async function evaluateCases(
  engine: MemoryEngine,
  cases: readonly RecallCase[],
  signal: AbortSignal,
): Promise<EvaluatedCase[]> {
  const results: EvaluatedCase[] = [];
  for (const { query, scopes, expect } of cases) {
    const { hits, relevance } = await engine.search(query, { scopes, limit: LOOKED_AT, signal });
    const records = hits.map(({ record }) => record);
    const places = expect
      .map((wanted) => records.findIndex((record) => matches(record, wanted)) + 1)
      .filter((place) => place > 0);
    results.push({
      query,
      wanted: expect.length,
      found: places.length,
      best:
        expect.length === 0
          ? relevance.qualifies
            ? undefined
            : 1
          : places.length === 0
            ? undefined
            : Math.min(...places),
    });
  }
  return results;
}

function matches(record: MemoryRecord, wanted: string): boolean {
  const words = wanted.toLowerCase();
  return record.id === wanted || `${record.title}\n${record.text}`.toLowerCase().includes(words);
}
