/** What became of one element: `same` has its index in both lists. */
export type Step =
  | { kind: "same"; before: number; after: number }
  | { kind: "removed"; before: number }
  | { kind: "added"; after: number };

/** Lists whose middles multiply to more than this are taken as wholly replaced there. */
const MAX_CELLS = 400_000;

/** The steps from one list to the other by a longest common subsequence; removals come before additions. */
export function diffSequence(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let endBefore = before.length;
  let endAfter = after.length;
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--;
    endAfter--;
  }
  const steps: Step[] = [];
  for (let i = 0; i < start; i++) steps.push({ kind: "same", before: i, after: i });
  steps.push(...middle(before.slice(start, endBefore), after.slice(start, endAfter), start));
  for (let i = 0; i < before.length - endBefore; i++)
    steps.push({ kind: "same", before: endBefore + i, after: endAfter + i });
  return steps;
}

function middle(before: readonly string[], after: readonly string[], offset: number): Step[] {
  const rows = before.length;
  const columns = after.length;
  const steps: Step[] = [];
  const added: Step[] = [];
  const flush = () => {
    steps.push(...added);
    added.length = 0;
  };
  let i = 0;
  let j = 0;
  if (rows > 0 && columns > 0 && rows * columns <= MAX_CELLS) {
    const stride = columns + 1;
    const longest = new Uint32Array((rows + 1) * stride);
    for (let r = rows - 1; r >= 0; r--)
      for (let c = columns - 1; c >= 0; c--)
        longest[r * stride + c] =
          before[r] === after[c]
            ? longest[(r + 1) * stride + c + 1]! + 1
            : Math.max(longest[(r + 1) * stride + c]!, longest[r * stride + c + 1]!);
    while (i < rows && j < columns) {
      if (before[i] === after[j]) {
        flush();
        steps.push({ kind: "same", before: offset + i++, after: offset + j++ });
      } else if (longest[(i + 1) * stride + j]! >= longest[i * stride + j + 1]!)
        steps.push({ kind: "removed", before: offset + i++ });
      else added.push({ kind: "added", after: offset + j++ });
    }
  }
  while (i < rows) steps.push({ kind: "removed", before: offset + i++ });
  while (j < columns) added.push({ kind: "added", after: offset + j++ });
  flush();
  return steps;
}
