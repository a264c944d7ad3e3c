import { characterLength } from "../platform/utf8.ts";
import { isVisible } from "./character-class.ts";
import { decodeAt, isSurrogateAt, NO_CHARACTER } from "./code-points.ts";

/** More in a row are shown as the first one and a count: what they spell shall not be read after all. */
const MOST_SHOWN = 8;

/** A hidden character as it is shown: `\u{202e}`; of a byte that is no UTF-8: `\xff`. */
function shownCharacter(codePoint: number, byte: number): string {
  return codePoint === NO_CHARACTER
    ? `\\x${byte.toString(16).padStart(2, "0")}`
    : `\\u{${codePoint.toString(16).padStart(4, "0")}}`;
}

/** Hidden characters in a row, given one by one as they are shown. */
function shownRun(shown: readonly string[]): string {
  return shown.length <= MOST_SHOWN
    ? shown.join("")
    : `${shown[0]}[and ${shown.length - 1} more hidden characters]`;
}

/** The text of `from` to `to`, whatever is hidden in it written out. Tabs become spaces; line feeds stay. */
export function showHidden(bytes: Uint8Array, from: number, to: number): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let good = from;
  let run: string[] = [];
  let at = from;
  const flush = (end: number) => {
    if (end > good) text += decoder.decode(bytes.subarray(good, end)).replaceAll("\t", " ");
  };
  while (at < to) {
    const length = characterLength(bytes, at);
    const point = length === 0 ? NO_CHARACTER : decodeAt(bytes, at, length);
    if (point === 0x09 || point === 0x0a || (point >= 0 && isVisible(point))) {
      if (run.length > 0) {
        text += shownRun(run);
        run = [];
        good = at;
      }
      at += length;
      continue;
    }
    if (run.length === 0) flush(at);
    const surrogate = length === 0 && isSurrogateAt(bytes, at);
    if (surrogate)
      run.push(shownCharacter(0xd000 | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f), 0));
    else run.push(shownCharacter(point, bytes[at]!));
    at += surrogate ? 3 : Math.max(length, 1);
    good = at;
  }
  if (run.length > 0) return text + shownRun(run);
  flush(Math.min(at, to));
  return text;
}

/** ASCII that keys are written in. */
function isWordByte(byte: number): boolean {
  return /[\w+/=.~-]/.test(String.fromCharCode(byte)) && byte < 0x80;
}

/** Bytes of text that an excerpt shows on either side. */
const AROUND = 48;

/** What stands around `length` bytes at `offset`, on the same line. */
export function excerpt(bytes: Uint8Array, lineStart: number, offset: number, length: number): string {
  let from = Math.max(lineStart, offset - AROUND);
  while (from < offset && (bytes[from]! & 0xc0) === 0x80) from++;
  // No part of a word: of a key it would be a part that nobody recognises as one.
  if (from > lineStart) while (from < offset && isWordByte(bytes[from]!)) from++;
  let to = Math.min(bytes.length, offset + length + AROUND);
  while (to > offset + length && (bytes[to] ?? 0) >> 6 === 2) to--;
  if (to < bytes.length) while (to > offset + length && isWordByte(bytes[to - 1]!)) to--;
  const lineEnd = bytes.subarray(offset + length, to).indexOf(0x0a);
  if (lineEnd >= 0) to = offset + length + lineEnd;
  const cutAfter = to < bytes.length && bytes[to] !== 0x0a && bytes[to] !== 0x0d;
  if (bytes[to] === 0x0a && bytes[to - 1] === 0x0d && to - 1 >= offset + length) to--;
  return `${from > lineStart ? "…" : ""}${showHidden(bytes, from, to).trim()}${cutAfter ? "…" : ""}`;
}
