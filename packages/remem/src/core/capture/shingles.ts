import { words } from "../text/tokenize.ts";

/** Words that stand together; five tell one wording from another. */
const WIDTH = 5;

/** The overlapping runs of five words of a text, or, of a shorter one, all its words as one run. Empty for a text without words. */
export function shingles(text: string): ReadonlySet<string> {
  const all = words(text);
  if (all.length === 0) return new Set();
  if (all.length <= WIDTH) return new Set([all.join(" ")]);
  const found = new Set<string>();
  for (let start = 0; start + WIDTH <= all.length; start++)
    found.add(all.slice(start, start + WIDTH).join(" "));
  return found;
}

/** How much two sets have in common, 0 to 1; 0 when both are empty. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 0;
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let common = 0;
  for (const item of small) if (large.has(item)) common++;
  return common / (one.size + other.size - common);
}
