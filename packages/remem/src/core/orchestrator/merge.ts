import { jaccard, shingles } from "../capture/shingles.ts";
import type { Hit, SearchResult } from "../engine.ts";
import type { ScopeGuard } from "./allowed-records.ts";
import type { FoundMemory } from "./answers.ts";
import type { MemoryProvider } from "./memory-provider.ts";

/** One provider's part of an answer. */
export interface ProviderResult {
  readonly provider: MemoryProvider;
  readonly value: SearchResult;
}

/** Two texts that share so much of their wording say the same. */
const SAME = 0.9;

/**
 * One list out of many, best first: each provider's scores are divided by its best and weighed by how sure it is, so that a
 * provider with only far-fetched hits does not lead. The same text is kept once, with the names of its other places. Ties go to
 * the newer memory, then to the smaller id, so that the order never depends on who answered first.
 */
export function mergeResults(results: readonly ProviderResult[], guard: ScopeGuard): FoundMemory[] {
  const all = results.flatMap(({ provider, value }) => scored(provider, value, guard));
  all.sort(byScore);
  const kept: (FoundMemory & { readonly shingles: ReadonlySet<string>; duplicates: string[] })[] = [];
  for (const one of all) {
    const own = shingles(`${one.record.title} ${one.record.text}`);
    const same = kept.find(
      (other) => other.record.id === one.record.id || jaccard(own, other.shingles) >= SAME,
    );
    if (same === undefined) kept.push({ ...one, shingles: own, duplicates: [] });
    else if (same.record.id !== one.record.id || same.provider !== one.provider)
      same.duplicates.push(`${one.provider}:${one.record.id}`);
  }
  return kept.map(({ shingles: _, ...found }) => found);
}

function scored(provider: MemoryProvider, result: SearchResult, guard: ScopeGuard): FoundMemory[] {
  const admitted = result.hits.filter(({ record }) => guard.admits(record));
  const best = admitted.reduce((top, { score }) => Math.max(top, finite(score)), 0);
  const sureness = Math.max(0, Math.min(1, finite(result.relevance.value)));
  const scale = best > 0 ? sureness / best : 0;
  return admitted.map((hit) => ({
    record: hit.record,
    provider: provider.id,
    score: finite(hit.score) * scale,
    alone: finite(hit.alone) * scale,
    parts: numberParts(hit),
    duplicates: [],
  }));
}

function byScore(one: FoundMemory, other: FoundMemory): number {
  return (
    other.score - one.score ||
    other.record.at - one.record.at ||
    (one.record.id < other.record.id ? -1 : one.record.id > other.record.id ? 1 : 0)
  );
}

function numberParts({ parts }: Hit): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [name, value] of Object.entries(parts ?? {}))
    if (typeof value === "number" && Number.isFinite(value)) found[name] = Math.round(value * 1000) / 1000;
  return found;
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
