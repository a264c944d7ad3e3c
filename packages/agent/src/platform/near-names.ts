/** Names out of `known` that `name` was probably meant to be, nearest first; at most `count`. For messages only. */
export function nearNames(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.toLowerCase().slice(0, 100);
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(known)) {
    const text = candidate.toLowerCase();
    const distance = editDistance(wanted, text);
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, text.length) / 3));
    if (distance <= limit) scored.push({ candidate, score: distance });
    else if (wanted.length >= 3 && (text.includes(wanted) || wanted.includes(text)))
      scored.push({ candidate, score: limit + Math.abs(text.length - wanted.length) });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, count).map((entry) => entry.candidate);
}

/** Levenshtein distance: single-letter insertions, deletions and replacements. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
