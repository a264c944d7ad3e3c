const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u{3000}-\u{303F}\u{FF01}-\u{FF60}]/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\u200C\u200D]+$/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How many columns of a terminal a text without control characters takes. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += letterWidth(segment);
  return width;
}

/** The text, cut to so many columns; what is cut is said by an ellipsis. */
export function cutToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let width = 1;
  let kept = "";
  for (const { segment } of segmenter.segment(text)) {
    width += letterWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return columns < 1 ? "" : `${kept}…`;
}

function letterWidth(segment: string): number {
  if (NO_WIDTH.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}
