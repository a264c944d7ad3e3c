/** Dice coefficient of the letter pairs of two lines: 0 (nothing in common) to 1 (equal). */
function similarity(a: ReadonlyMap<string, number>, aPairs: number, b: string): number {
  const left = new Map(a);
  let common = 0;
  for (let at = 0; at + 1 < b.length; at++) {
    const pair = b.slice(at, at + 2);
    const rest = left.get(pair) ?? 0;
    if (rest > 0) {
      common++;
      left.set(pair, rest - 1);
    }
  }
  return (2 * common) / Math.max(1, aPairs + b.length - 1);
}

/** Lines compared at most, so that a huge file costs no noticeable time. */
const MAX_LINES = 20_000;
const LIKE = 0.5;

/** The index of the line most like `wanted` (both trimmed), or -1 when none is alike. */
export function mostSimilarLine(lines: readonly string[], wanted: string): number {
  const goal = wanted.trim().slice(0, 400);
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < goal.length; at++) {
    const pair = goal.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let best = -1;
  let bestScore = LIKE;
  for (const [index, line] of lines.slice(0, MAX_LINES).entries()) {
    const text = line.trim();
    if (text.length * 3 < goal.length || text.length > goal.length * 3) continue;
    const score = similarity(pairs, Math.max(0, goal.length - 1), text.slice(0, 400));
    if (score > bestScore) {
      bestScore = score;
      best = index;
    }
  }
  return best;
}
