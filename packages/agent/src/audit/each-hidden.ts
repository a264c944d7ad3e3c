import { characterLength } from "../platform/utf8.ts";
import { characterClass, isRunClass, isVisible } from "./character-class.ts";
import { codePointBefore, codePointFrom, decodeAt, isSurrogateAt, NO_CHARACTER } from "./code-points.ts";
import type { Hit } from "./hit.ts";
import { DirectionJudge } from "./judge-direction.ts";
import { judgeLone, judgeRun } from "./judge-run.ts";
import * as judge from "./judge-single.ts";
import type { Verdict } from "./verdict.ts";

export interface HiddenOptions {
  /** False: the text lies inside of something, where a byte order mark has no place. */
  isFile: boolean;
}

/**
 * Tells every hidden character of a text with its verdict. Those whose verdict depends on the rest of the line or text (direction
 * controls) come late, out of order. Takes time in proportion to the text; ASCII costs next to nothing.
 */
export function eachHidden(
  bytes: Uint8Array,
  { isFile }: HiddenOptions,
  tell: (hit: Hit, verdict: Verdict) => void,
): void {
  const directions = new DirectionJudge(tell);
  let rightToLeftLine = false;
  let rightToLeftText = false;
  const place: LinePlace = { line: 0, lineStart: 0 };
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte >= 0x20 && byte < 0x7f) {
      at++;
      continue;
    }
    if (byte === 0x0a) {
      directions.endLine(rightToLeftLine);
      rightToLeftText ||= rightToLeftLine;
      rightToLeftLine = false;
      at++;
      place.line++;
      place.lineStart = at;
      continue;
    }
    if (byte === 0x09) {
      at++;
      continue;
    }
    const length = characterLength(bytes, at);
    if (length === 0) {
      at = tellBroken(bytes, at, isFile, place, tell);
      continue;
    }
    const point = length === 1 ? byte : decodeAt(bytes, at, length);
    if (isVisible(point)) {
      if (point >= 0x590 && isRightToLeft(point)) rightToLeftLine = true;
      at += length;
      continue;
    }
    const name = characterClass(point);
    if (name === "direction" || name === "direction-mark") {
      const before = codePointBefore(bytes, at);
      directions.add({ ...one(at, length, point, place), before, after: codePointFrom(bytes, at + length) });
      at += length;
    } else if (name === "byte-order-mark" && at === 0 && isFile) {
      tell(one(at, length, point, place), judge.BYTE_ORDER_MARK);
      at += length;
    } else if (isRunClass(name)) at = tellRun(bytes, at, place, tell);
    else at = tellSame(bytes, at, point, place, tell);
  }
  directions.endLine(rightToLeftLine);
  directions.end(rightToLeftText || rightToLeftLine);
}

interface LinePlace {
  line: number;
  lineStart: number;
}

type Tell = (hit: Hit, verdict: Verdict) => void;

function one(offset: number, bytes: number, codePoint: number, { line, lineStart }: LinePlace): Hit {
  return { offset, bytes, count: 1, codePoint, mixed: false, line, lineStart };
}

/** Tells the invisible characters from `start` to the next visible one; returns where that is. */
function tellRun(bytes: Uint8Array, start: number, place: LinePlace, tell: Tell): number {
  const codePoints: number[] = [];
  let at = start;
  for (;;) {
    const point = codePointFrom(bytes, at);
    if (point < 0 || !isRunClass(characterClass(point))) break;
    codePoints.push(point);
    at += byteLength(point);
  }
  const before = codePointBefore(bytes, start);
  const after = codePointFrom(bytes, at);
  if (codePoints.length === 1) {
    tell(one(start, at - start, codePoints[0]!, place), judgeLone(codePoints[0]!, before, after));
    return at;
  }
  const verdicts = judgeRun({ codePoints, before, after });
  let hit: Hit | null = null;
  let offset = start;
  for (const [index, point] of codePoints.entries()) {
    const length = byteLength(point);
    if (hit !== null && verdicts[index] === verdicts[index - 1]) {
      hit.bytes += length;
      hit.count++;
      hit.mixed ||= point !== hit.codePoint;
    } else {
      if (hit !== null) tell(hit, verdicts[index - 1]!);
      hit = one(offset, length, point, place);
    }
    offset += length;
  }
  tell(hit!, verdicts.at(-1)!);
  return at;
}

/** Tells a character that is judged without its neighbours, with its like behind it; returns where they end. */
function tellSame(bytes: Uint8Array, start: number, point: number, place: LinePlace, tell: Tell): number {
  const length = byteLength(point);
  const name = characterClass(point);
  const hit = one(start, length, point, place);
  let at = start + length;
  for (;;) {
    const next = codePointFrom(bytes, at);
    // Private-use characters belong together, whatever they are: a message has different ones.
    if (name === "private-use" ? next < 0 || characterClass(next) !== name : next !== point) break;
    hit.count++;
    hit.mixed ||= next !== point;
    at += byteLength(next);
  }
  hit.bytes = at - start;
  if (name === "private-use") tell(hit, judge.judgePrivateUse(point, hit.count));
  else if (name === "odd-space") tell(hit, judge.ODD_SPACE);
  else if (name === "blank-symbol") tell(hit, judge.BLANK_SYMBOL);
  else if (name === "separator") tell(hit, judge.SEPARATOR);
  else if (name === "noncharacter") tell(hit, judge.NONCHARACTER);
  // Carriage returns with nothing but their like before the line feed (or the end) hide nothing.
  else if (name !== "carriage-return" || (at < bytes.length && bytes[at] !== 0x0a))
    tell(hit, judge.judgeControl(point));
  return at;
}

/** Tells bytes that are no UTF-8; returns where they end. */
function tellBroken(bytes: Uint8Array, start: number, isFile: boolean, place: LinePlace, tell: Tell): number {
  if (isSurrogateAt(bytes, start)) {
    tell(one(start, 3, surrogateAt(bytes, start), place), judge.SURROGATE);
    return start + 3;
  }
  const isMark = start === 0 && isFile && isUtf16(bytes);
  let at = start + (isMark ? 2 : 1);
  if (!isMark)
    while (at < bytes.length && characterLength(bytes, at) === 0 && !isSurrogateAt(bytes, at)) at++;
  const hit = { ...one(start, at - start, NO_CHARACTER, place), count: at - start };
  tell(hit, isMark ? judge.UTF16_MARK : judge.NOT_UTF8);
  return at;
}

function byteLength(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

/** Hebrew to Arabic and their presentation forms, and the right-to-left scripts beyond the basic plane. */
function isRightToLeft(point: number): boolean {
  return (
    point <= 0x8ff ||
    (point >= 0xfb1d && point <= 0xfdff) ||
    (point >= 0xfe70 && point <= 0xfefe) ||
    (point >= 0x10800 && point <= 0x10fff) ||
    (point >= 0x1e800 && point <= 0x1efff)
  );
}

function surrogateAt(bytes: Uint8Array, at: number): number {
  return 0xd000 | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f);
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
