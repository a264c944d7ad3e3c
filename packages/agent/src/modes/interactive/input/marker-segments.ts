/** Splits text for the cursor: graphemes or words, with each marker of a paste or an image as one piece. */
import type { Attachments } from "./attachments.ts";

const PASTE_MARKER = /\[paste #(\d+)(?: (?:\+\d+ lines|\d+ chars))?\]/g;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

export interface Span {
  start: number;
  end: number;
}

/** Where markers of pastes and images that still exist stand, in order. */
export function markerSpans(
  text: string,
  pastes: ReadonlyMap<number, string>,
  attachments: Attachments,
): Span[] {
  if (!text.includes("[")) return [];
  const spans = attachments.spans(text);
  for (const match of text.matchAll(PASTE_MARKER))
    if (pastes.has(Number(match[1]))) spans.push({ start: match.index, end: match.index + match[0].length });
  return spans.sort((a, b) => a.start - b.start);
}

/** The pieces of a text. `spans` are its markers, in order and apart. */
export function segmentAround(
  text: string,
  mode: "grapheme" | "word",
  spans: readonly Span[],
): Iterable<Intl.SegmentData> {
  const segmenter = mode === "word" ? words : graphemes;
  if (spans.length === 0) return segmenter.segment(text);
  const pieces: Intl.SegmentData[] = [];
  let at = 0;
  const plainUntil = (end: number) => {
    for (const piece of segmenter.segment(text.slice(at, end)))
      pieces.push({ ...piece, index: piece.index + at, input: text });
  };
  for (const { start, end } of spans) {
    plainUntil(start);
    pieces.push({ segment: text.slice(start, end), index: start, input: text });
    at = end;
  }
  plainUntil(text.length);
  return pieces;
}

/** Replaces paste markers by what was pasted, once: a marker that stands inside of a paste is text. */
export function expandMarkers(text: string, pastes: ReadonlyMap<number, string>): string {
  if (pastes.size === 0) return text;
  return text.replace(PASTE_MARKER, (marker, id: string) => pastes.get(Number(id)) ?? marker);
}
