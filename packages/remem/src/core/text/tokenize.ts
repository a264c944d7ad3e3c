import { stem } from "./stem.ts";

/** Runs of scripts that write no spaces between words: they are indexed by overlapping pairs of letters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々ー]+/u;
const UNSPACED_RUNS = new RegExp(UNSPACED.source, "gu");
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const IDENTIFIER = /[\p{L}\p{N}_]+/gu;
/** Accents and vowel signs that writers leave out as often as not; the marks of other scripts are letters to their readers. */
const ACCENTS =
  /(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
/** Emoji and flags. They are indexed as words of letters, because full-text indexes take signs for gaps. */
const PICTURES = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/gu;
const HAN = /\p{Script=Han}/gu;
const POSSESSIVE = /['’]s\b/g;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|_+/u;
/** Longer "words" are encoded data: nobody searches for them, and they would fill the index. */
const LONGEST_WORD = 64;

const cache = new Map<string, string>();
const CACHE_LIMIT = 20_000;

function stemmed(word: string): string {
  let known = cache.get(word);
  if (known === undefined) {
    if (cache.size >= CACHE_LIMIT) cache.clear();
    known = stem(word);
    cache.set(word, known);
  }
  return known;
}

/** The words of a text, lower case, in order, without stemming: letters and digits of any script; unspaced scripts as pairs. */
export function words(text: string): string[] {
  const folded = text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .normalize("NFC")
    .replace(POSSESSIVE, "")
    .toLowerCase()
    // One letter with two shapes: full-text indexes know the other one only.
    .replaceAll("ς", "σ")
    .replace(PICTURES, pictureWord);
  const found: string[] = [];
  for (const [run] of folded.matchAll(WORD)) {
    if (run.length > LONGEST_WORD && !UNSPACED.test(run)) continue;
    pushWord(run, found);
  }
  return found;
}

/** The index terms of a text, in order: `words`, stemmed. The same function makes the terms of a query. */
export function terms(text: string): string[] {
  return words(text).map(stemmed);
}

/** The index terms of a text that is kept: `terms`, and each Han letter by itself, which can be a whole word. A question need not have these: its own words are there. */
export function storedTerms(text: string): string[] {
  return [...terms(text), ...(text.normalize("NFKC").match(HAN) ?? [])];
}

function pictureWord(picture: string): string {
  const codes = Array.from(picture, (letter) => letter.codePointAt(0)!.toString(16));
  return ` picture${codes.join("")} `;
}

/** The parts of the identifiers of a text (`readFile` and `read_file` give `read`, `file`), as index terms; whole words are left out. */
export function identifierTerms(text: string): string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(IDENTIFIER)) {
    if (run.length > LONGEST_WORD) continue;
    const parts = run.split(HUMP).filter((part) => part.length > 0);
    if (parts.length < 2) continue;
    for (const part of parts) found.push(...terms(part));
  }
  return found;
}

function pushWord(run: string, found: string[]): void {
  if (!UNSPACED.test(run)) {
    found.push(run);
    return;
  }
  let end = 0;
  for (const match of run.matchAll(UNSPACED_RUNS)) {
    if (match.index > end) found.push(run.slice(end, match.index));
    pushPairs(match[0], found);
    end = match.index + match[0].length;
  }
  if (end < run.length) found.push(run.slice(end));
}

function pushPairs(run: string, found: string[]): void {
  const letters = [...run];
  if (letters.length === 1) found.push(run);
  for (let index = 0; index + 1 < letters.length; index++) found.push(letters[index]! + letters[index + 1]!);
}
