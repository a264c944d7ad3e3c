import type { RankedRow } from "../ranking/rank.ts";

/** How sure it is that the best rows speak of what was asked. */
export interface Relevance {
  /** Share of the question's words, weighed by rarity, plus what likeness adds; about 0 to 1.5. */
  readonly value: number;
  /** Whether it is enough to put memories before a model that did not ask for them. */
  readonly qualifies: boolean;
}

const LOOKED_AT = 5;
const COSINE_SHARE = 0.8;
/** Set so that about 95 of 100 questions with an answer in the store pass; see `bench/memory.ts`, silence. */
export const RELEVANCE_FLOOR = 0.62;

/** Judges a ranking by its first rows. Nothing ranked: nothing qualifies. */
export function judgeRelevance(ranked: readonly RankedRow[]): Relevance {
  let value = 0;
  for (const { parts } of ranked.slice(0, LOOKED_AT))
    value = Math.max(value, parts.coverage + COSINE_SHARE * Math.max(0, parts.cosine ?? 0));
  return { value, qualifies: value >= RELEVANCE_FLOOR };
}
