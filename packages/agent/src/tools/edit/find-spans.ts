import type { TextForm } from "./text-form.ts";

/** A piece of the body: from `start` up to, not including, `end`. */
export interface Span {
  start: number;
  end: number;
}

/** How an argument was found. */
export interface Found {
  spans: Span[];
  /** What was searched, in the body's form with line feeds. */
  needle: string;
  /** How a replacement argument gets into the same form. */
  convert(text: string): string;
  /** Matched with straight and curly quotes taken as equal. */
  lenient: boolean;
}

/** More places than this are not replaced at once: each costs memory. */
export const MAX_SPANS = 1_000_000;

const SINGLE = ["'", "\u2018", "\u2019", "\u201a", "\u201b"];
const DOUBLE = ['"', "\u201c", "\u201d", "\u201e", "\u201f"];

/**
 * Finds an argument in the body. CRLF and LF are equal; where several places match and one matches exactly as written, that one
 * counts. If nothing matches: with `\xE9` as bytes in a file that is not UTF-8, then with quotes of one kind taken as equal.
 */
export function findSpans(form: TextForm, argument: string, all: boolean): Found {
  const text = lineFeeds(argument.startsWith("\ufeff") ? argument.slice(1) : argument);
  const plain = (other: string) => lineFeeds(form.fromText(other));
  const needle = form.fromText(text);
  const exact = search(form.body, needle);
  if (exact.length > 0) {
    const asWritten = exact.filter(
      (span) => form.body.slice(span.start, span.end) === form.fromText(argument),
    );
    const spans = !all && exact.length > 1 && asWritten.length === 1 ? asWritten : exact;
    return { spans, needle, convert: plain, lenient: false };
  }
  if (form.legacy && /\\x[0-9A-Fa-f]{2}/.test(text)) {
    const bytes = form.fromEscapes(text);
    const spans = search(form.body, bytes);
    const convert = (other: string) => lineFeeds(form.fromEscapes(other));
    if (spans.length > 0) return { spans, needle: bytes, convert, lenient: false };
  }
  const quotes = quotePattern(form);
  const spans = quotes.test(needle) ? search(form.body, needle, (piece) => anyQuotes(form, piece)) : [];
  return { spans, needle, convert: plain, lenient: spans.length > 0 };
}

/** CRLF as LF; a lone carriage return stays. */
export function lineFeeds(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

/** All quotes that a lenient match takes as equal, as one alternation in the body's form. */
export function quotePattern(form: TextForm): RegExp {
  return new RegExp([...SINGLE, ...DOUBLE].map((quote) => literal(form.fromText(quote))).join("|"));
}

function search(body: string, needle: string, pattern = literal): Span[] {
  if (needle === "") return [];
  if (pattern === literal && !(needle.includes("\n") && body.includes("\r\n")))
    return searchPlain(body, needle);
  const source = needle.split("\n").map(pattern).join("\\r?\\n");
  const spans: Span[] = [];
  for (const match of body.matchAll(new RegExp(source, "g"))) {
    spans.push({ start: match.index, end: match.index + match[0].length });
    if (spans.length > MAX_SPANS) break;
  }
  return spans;
}

/** All places of a text, not overlapping; one more than {@link MAX_SPANS} at most. */
export function searchPlain(body: string, needle: string): Span[] {
  const spans: Span[] = [];
  let at = needle === "" ? -1 : body.indexOf(needle);
  for (; at !== -1 && spans.length <= MAX_SPANS; at = body.indexOf(needle, at + needle.length))
    spans.push({ start: at, end: at + needle.length });
  return spans;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function anyQuotes(form: TextForm, piece: string): string {
  const parts: string[] = [];
  const quotes = new RegExp(quotePattern(form), "g");
  const isSingle = (quote: string) => SINGLE.some((one) => form.fromText(one) === quote);
  let from = 0;
  for (const match of piece.matchAll(quotes)) {
    const kinds = isSingle(match[0]) ? SINGLE : DOUBLE;
    parts.push(literal(piece.slice(from, match.index)));
    parts.push(`(?:${kinds.map((quote) => literal(form.fromText(quote))).join("|")})`);
    from = match.index + match[0].length;
  }
  parts.push(literal(piece.slice(from)));
  return parts.join("");
}
