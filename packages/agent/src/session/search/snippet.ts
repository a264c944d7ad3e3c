const BEFORE = 40;
const LENGTH = 160;

/** A piece of a text on one line around the first of some words that it has; the text's beginning when it has none. */
export function snippetOf(text: string, words: readonly string[]): { snippet: string; found: number } {
  const lower = text.toLowerCase();
  const places = words.map((word) => placeOf(lower, word.toLowerCase())).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first <= BEFORE ? 0 : wordStart(text, first - BEFORE);
  const piece = text
    .slice(start, start + LENGTH)
    .toWellFormed()
    .replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();
  const end = start + LENGTH < text.length ? "…" : "";
  return { snippet: `${start > 0 ? "…" : ""}${piece}${end}`, found: places.length };
}

/** Where a word stands, best as the beginning of one: that is how the index finds it. */
function placeOf(text: string, word: string): number {
  const anywhere = text.indexOf(word);
  for (let at = anywhere; at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return at;
  return anywhere;
}

/** The next beginning of a word, if one is near. */
function wordStart(text: string, from: number): number {
  const space = text.slice(from, from + 20).search(/\s/);
  return space < 0 ? from : from + space + 1;
}
