/** The entries of `known` nearest to `word` by edit distance, best first; only those close enough to be a slip. */
export function nearest(word: string, known: readonly string[], count = 3): string[] {
  const limit = Math.max(2, Math.floor(word.length / 3));
  return known
    .map((entry) => ({ entry, distance: editDistance(word.toLowerCase(), entry.toLowerCase()) }))
    .filter(({ entry, distance }) => distance <= limit || entry.toLowerCase().startsWith(word.toLowerCase()))
    .sort((a, b) => a.distance - b.distance || (a.entry < b.entry ? -1 : 1))
    .slice(0, count)
    .map(({ entry }) => entry);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1),
      );
    row = next;
  }
  return row[b.length]!;
}
