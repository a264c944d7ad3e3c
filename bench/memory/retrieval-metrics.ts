/** How well one ranking found what it should, 0 to 1. */
export interface RetrievalScore {
  /** Share of what was wanted among the first 5, and the first 10. */
  recall5: number;
  recall10: number;
  /** One over the place of the first wanted one; 0 when there is none. */
  reciprocalRank: number;
}

/** Scores a ranking against what was wanted; `wanted` must not be empty. */
export function scoreRanking<T>(ranking: readonly T[], wanted: ReadonlySet<T>): RetrievalScore {
  const within = (count: number): number =>
    ranking.slice(0, count).filter((entry) => wanted.has(entry)).length / wanted.size;
  const first = ranking.findIndex((entry) => wanted.has(entry));
  return { recall5: within(5), recall10: within(10), reciprocalRank: first < 0 ? 0 : 1 / (first + 1) };
}

/** The mean of scores; NaN for none. */
export function meanScore(scores: readonly RetrievalScore[]): RetrievalScore {
  const mean = (read: (score: RetrievalScore) => number): number =>
    scores.reduce((sum, score) => sum + read(score), 0) / scores.length;
  return {
    recall5: mean((score) => score.recall5),
    recall10: mean((score) => score.recall10),
    reciprocalRank: mean((score) => score.reciprocalRank),
  };
}

/** A share as a percentage with one digit. */
export function percent(share: number): string {
  return (100 * share).toFixed(1);
}
