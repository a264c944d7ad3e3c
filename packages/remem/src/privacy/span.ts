import type { ScreenFinding } from "../core/ports/screen.ts";

/** A part of a text that has to go, from `start` up to `end` (exclusive), in UTF-16 units. */
export interface Span {
  readonly rule: string;
  readonly category: ScreenFinding["category"];
  readonly start: number;
  readonly end: number;
}

/** Finds spans; it must end in time proportional to the text, whatever the text is. */
export type Detector = (text: string) => Span[];

/** Stands in for a part that is dealt with: no letter, no digit, no space, so that no rule takes it for its own. */
const FILLER = "\u{e000}";
const MARK = /\[redacted:[a-z0-9][a-z0-9-]{0,63}\]/g;

/** What stands in a text for a span. */
export function mark(rule: string): string {
  return `[redacted:${rule}]`;
}

/** The places of marks that are in a text already. */
export function findMarks(text: string): { start: number; end: number }[] {
  if (!text.includes("[redacted:")) return [];
  return Array.from(text.matchAll(MARK), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The text with these parts blanked, at the same length. */
export function blank(text: string, parts: readonly { start: number; end: number }[]): string {
  if (parts.length === 0) return text;
  let result = "";
  let at = 0;
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    if (part.end <= at) continue;
    const start = Math.max(part.start, at);
    result += text.slice(at, start) + FILLER.repeat(part.end - start);
    at = part.end;
  }
  return result + text.slice(at);
}

/** Sorted spans that do not overlap: of those that do, the one that starts first (the longer of two) gives the rule, and all go. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end)
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else if (span.end > span.start) merged.push(span);
  }
  return merged;
}

/** The parts of a span that are not blanked yet, and never half of a character. */
export function unblanked(span: Span, text: string): Span[] {
  const parts: Span[] = [];
  let start = -1;
  for (let at = span.start; at <= span.end; at++) {
    const open = at < span.end && text[at] !== FILLER;
    if (open && start < 0) start = at;
    if (!open && start >= 0) {
      parts.push(wholeCharacters({ ...span, start, end: at }, text));
      start = -1;
    }
  }
  return parts;
}

function wholeCharacters(span: Span, text: string): Span {
  const start = isLow(text.charCodeAt(span.start)) ? span.start - 1 : span.start;
  const end = isHigh(text.charCodeAt(span.end - 1)) ? span.end + 1 : span.end;
  return start === span.start && end === span.end ? span : { ...span, start, end };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
