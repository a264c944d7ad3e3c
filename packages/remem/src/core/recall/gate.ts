import { VERBATIM_KINDS } from "../memory/record.ts";
import type { RankedRow } from "../ranking/rank.ts";

/** How sure it is that the best rows speak of what was asked. */
export interface Relevance {
  /** Share of the question's words, weighed by rarity, plus what likeness adds; about 0 to 1.4. */
  readonly value: number;
  /** Whether it is enough to put memories before a model that did not ask for them. */
  readonly qualifies: boolean;
}

const LOOKED_AT = 5;
/**
 * Set so that about 95 of 100 questions with an answer pass (`bench/memory.ts --silence`, and each LoCoMo conversation asked
 * another one's questions). A statement has its words in itself, and is much like any other on its subject; what was said in passing
 * shares fewer words with the question.
 */
const GATE = { statement: { likeness: 0.2, floor: 0.5 }, said: { likeness: 0.4, floor: 0.4 } } as const;

/** Judges a ranking by its first rows. Nothing ranked: nothing qualifies. */
export function judgeRelevance(ranked: readonly RankedRow[]): Relevance {
  let value = 0;
  let qualifies = false;
  for (const { row, parts } of ranked.slice(0, LOOKED_AT)) {
    const { likeness, floor } = VERBATIM_KINDS.has(row.kind) ? GATE.said : GATE.statement;
    const own = parts.coverage + likeness * Math.max(0, parts.cosine ?? 0);
    value = Math.max(value, own);
    qualifies ||= own >= floor;
  }
  return { value, qualifies };
}
