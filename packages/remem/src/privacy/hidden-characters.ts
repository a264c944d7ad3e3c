/** A text without its hidden characters, and where each of its UTF-16 units was before. */
export interface Revealed {
  readonly text: string;
  /** The offset in the text as it came, of an offset in this one. */
  origin(offset: number): number;
  /** What was taken out, in the text as it came. */
  readonly removed: readonly { readonly start: number; readonly end: number }[];
}

/** Everything that is not drawn, or moves what is: controls but tab and line breaks, formats, fillers, tags, selectors. */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n\r]]+/gv;
/** Format characters that are drawn: Arabic number signs, Kaithi and Egyptian marks. */
const DRAWN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u;
const JOINER = 0x200d;
const NON_JOINER = 0x200c;
const WORD_BREAK = 0x200b;
const EMOJI_SELECTOR = 0xfe0f;
const TEXT_SELECTOR = 0xfe0e;

const EMOJI = /\p{Emoji}/u;
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const IDEOGRAPH = /[\p{Ideographic}\p{Script=Han}]/u;
/** Scripts whose spelling needs joiners; common signs do not make a text one of theirs. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Balinese}]/u;
const SPACELESS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const FLAG_BASE = "\u{1f3f4}";
/** The flags that are spelt in tags: England, Scotland, Wales. */
const FLAGS: readonly string[] = ["gbeng", "gbsct", "gbwls"].map(
  (region) =>
    `${String.fromCodePoint(...Array.from(region, (letter) => 0xe0000 + letter.charCodeAt(0)))}\u{e007f}`,
);

/**
 * Takes out what can carry words that nobody sees or show other words than there are: tags, bidirectional controls, zero-width
 * characters, fillers, control characters. Emoji sequences and the joiners of real scripts stay.
 */
export function reveal(text: string): Revealed {
  const removed: { start: number; end: number }[] = [];
  const drop = (start: number, end: number): void => {
    const last = removed.at(-1);
    if (last?.end === start) last.end = end;
    else removed.push({ start, end });
  };
  for (const run of text.matchAll(HIDDEN)) {
    const end = run.index + run[0].length;
    const before = characterBefore(text, run.index);
    const after = text.codePointAt(end);
    const following = after === undefined ? "" : String.fromCodePoint(after);
    if (before === FLAG_BASE && FLAGS.includes(run[0])) continue;
    let at = run.index;
    // Each kind is of use once in a run: a selector, then a joiner.
    let keptSelector = false;
    let keptJoiner = false;
    for (const character of run[0]) {
      const next = at + character.length;
      const point = character.codePointAt(0)!;
      const selector = !keptJoiner && !keptSelector && selects(point, before);
      const joiner = !keptJoiner && joins(point, before, following);
      if (selector) keptSelector = true;
      else if (joiner) keptJoiner = true;
      else if (!DRAWN.test(character)) drop(at, next);
      at = next;
    }
  }
  return { text: without(text, removed), origin: originOf(removed), removed };
}

function selects(point: number, before: string): boolean {
  if (point === EMOJI_SELECTOR || point === TEXT_SELECTOR) return before !== "" && EMOJI.test(before);
  return point >= 0xe0100 && point <= 0xe011f && before !== "" && IDEOGRAPH.test(before);
}

function joins(point: number, before: string, after: string): boolean {
  if (point === WORD_BREAK) return SPACELESS.test(before) && SPACELESS.test(after);
  if (point !== JOINER && point !== NON_JOINER) return false;
  if (point === JOINER && PICTOGRAPH.test(before) && PICTOGRAPH.test(after)) return true;
  return JOINING.test(before);
}

function characterBefore(text: string, index: number): string {
  if (index === 0) return "";
  const low = text.charCodeAt(index - 1);
  return low >= 0xdc00 && low <= 0xdfff && index > 1 ? text.slice(index - 2, index) : text[index - 1]!;
}

function without(text: string, parts: readonly { start: number; end: number }[]): string {
  let result = "";
  let at = 0;
  for (const { start, end } of parts) {
    result += text.slice(at, start);
    at = end;
  }
  return at === 0 ? text : result + text.slice(at);
}

function originOf(removed: readonly { start: number; end: number }[]): (offset: number) => number {
  // Where each gap lies in the new text, and how much was taken out up to and including it.
  const gaps: { at: number; total: number }[] = [];
  let total = 0;
  for (const { start, end } of removed) {
    const at = start - total;
    total += end - start;
    gaps.push({ at, total });
  }
  return (offset) => {
    let low = 0;
    let high = gaps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gaps[middle]!.at <= offset) low = middle + 1;
      else high = middle;
    }
    return offset + (low === 0 ? 0 : gaps[low - 1]!.total);
  };
}
