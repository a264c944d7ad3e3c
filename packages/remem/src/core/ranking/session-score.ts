import { BM25 } from "./weights.ts";
import type { WindowedRow } from "./window-score.ts";

/**
 * How much each session, taken as one text of the rows that are ranked, speaks of the question: 0 to 1 of the best one's
 * BM25, by session number.
 */
export function scoreSessions(
  rows: readonly WindowedRow[],
  terms: number,
  sessions: number,
): ReadonlyMap<number, number> {
  const texts = new Map<number, { counts: Float64Array; length: number }>();
  for (const { row, counts } of rows) {
    const text = texts.get(row.session) ?? { counts: new Float64Array(terms), length: 0 };
    for (let term = 0; term < terms; term++) text.counts[term]! += counts.content[term]!;
    text.length += counts.length;
    texts.set(row.session, text);
  }
  const all = [...texts.values()];
  const averageLength = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
  const rarity = Float64Array.from({ length: terms }, (_, term) => {
    const having = all.filter(({ counts }) => counts[term]! > 0).length;
    return Math.max(1e-6, Math.log((Math.max(sessions, having) - having + 0.5) / (having + 0.5)));
  });
  const scores = new Map<number, number>();
  let best = 0;
  for (const [session, { counts, length }] of texts) {
    const saturation = BM25.k1 * (1 - BM25.windowB + (BM25.windowB * length) / Math.max(1, averageLength));
    let score = 0;
    for (let term = 0; term < terms; term++)
      score += (rarity[term]! * counts[term]! * (BM25.k1 + 1)) / (counts[term]! + saturation);
    best = Math.max(best, score);
    scores.set(session, score);
  }
  if (best > 0) for (const [session, score] of scores) scores.set(session, score / best);
  return scores;
}
