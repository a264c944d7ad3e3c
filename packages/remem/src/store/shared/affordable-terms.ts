/**
 * So many postings are read to find candidates, rarest terms first; the others still count when the candidates are ranked.
 * A full-text index's own ranking would read all of them twice.
 */
const MOST_POSTINGS = 8_000;
const LEAST_TERMS = 2;

/** The terms that occur, the rarest first, as long as not too many rows match. */
export function affordableTerms(terms: readonly string[], frequency: ReadonlyMap<string, number>): string[] {
  const occurring = terms
    .map((term) => ({ term, rows: frequency.get(term) ?? 0 }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => a.rows - b.rows);
  let matches = 0;
  return occurring
    .filter(({ rows }, index) => {
      matches += rows;
      return index < LEAST_TERMS || matches <= MOST_POSTINGS;
    })
    .map(({ term }) => term);
}

/** What a term is worth that occurs in so many of all documents. */
export function termRarity(documents: number, frequency: number): number {
  return Math.log(1 + documents / frequency);
}
