/**
 * How text is cut into words for the index, and a query into the same. Scripts that put no spaces between words are indexed
 * character by character, so that any piece of them is found as a phrase; all others by word, found by its beginning.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]\p{M}*/gu;
const ASCII = /^[\x00-\x7f]*$/;

/** A text as it goes into the index: what {@link searchWords} makes of a query is found in it. */
export function indexText(text: string): string {
  if (ASCII.test(text)) return text;
  return text.normalize("NFKC").replace(UNSPACED, " $& ");
}

/** One word of a query. */
export interface SearchWord {
  /** As it was typed, for marking it in a text. */
  text: string;
  /** As the index takes it. */
  match: string;
}

const MOST_WORDS = 16;
/** So many letters say enough to find a word by its beginning; a shorter word is found whole. */
const LEAST_PREFIX = 3;

/** The words of a query, at most 16; those without a letter or a digit are left out. */
export function searchWords(query: string): SearchWord[] {
  return query
    .normalize("NFKC")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MOST_WORDS)
    .map((text) => {
      const phrase = `"${indexText(text).replaceAll('"', " ").trim()}"`;
      return { text, match: text.length < LEAST_PREFIX ? phrase : `${phrase}*` };
    });
}
