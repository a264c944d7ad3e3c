import type { RankingRow } from "../ports/memory-store.ts";
import { FIELD } from "./weights.ts";

/** How often the terms of a question occur in one row; arrays are indexed like the terms. */
export interface TermCounts {
  /** Weighted over title, text and details: what neighbours see. */
  readonly content: Float64Array;
  /** Weighted, in the origin. */
  readonly origin: Float64Array;
  /** Terms of the content, and of the origin. */
  readonly length: number;
  readonly originLength: number;
  /** Different terms of the title and text. */
  readonly variety: number;
}

/** Counts the terms of a question in a row. */
export function countTerms(row: RankingRow, terms: ReadonlyMap<string, number>): TermCounts {
  const content = new Float64Array(terms.size);
  const origin = new Float64Array(terms.size);
  const seen = new Set<string>();
  let length = 0;
  length += addTo(content, row.title, FIELD.title, terms, seen);
  length += addTo(content, row.body, row.title === "" ? FIELD.body : FIELD.bodyBelowTitle, terms, seen);
  length += addTo(content, row.details, FIELD.details, terms);
  const originLength = addTo(origin, row.origin, FIELD.origin, terms);
  return { content, origin, length, originLength, variety: seen.size };
}

function addTo(
  counts: Float64Array,
  field: string,
  weight: number,
  terms: ReadonlyMap<string, number>,
  seen?: Set<string>,
): number {
  if (field === "") return 0;
  let length = 0;
  for (const term of field.split(" ")) {
    length++;
    seen?.add(term);
    const index = terms.get(term);
    if (index !== undefined) counts[index]! += weight;
  }
  return length;
}
