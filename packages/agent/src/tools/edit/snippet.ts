import { clipLine } from "../shared/truncate.ts";
import type { Span } from "./find-spans.ts";
import type { TextForm } from "./text-form.ts";

const CONTEXT = 2;
const MAX_LINES = 24;
const MAX_LINE_BYTES = 300;

/** The number, from 1, of the line that a position lies in. */
export function lineAt(body: string, position: number): number {
  let line = 1;
  for (let at = body.indexOf("\n"); at !== -1 && at < position; at = body.indexOf("\n", at + 1)) line++;
  return line;
}

/** Lines of a body, numbered as `read` numbers them; `from` and `to` are clamped to the body. */
export function numberedLines(form: TextForm, body: string, from: number, to: number): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let line = 1; line <= to && start <= body.length; line++) {
    const feed = body.indexOf("\n", start);
    const end = feed === -1 ? body.length : feed;
    const atVeryEnd = start === body.length && body.length > 0;
    if (line >= from && !atVeryEnd) {
      const text = form.toText(body.slice(start, end).replace(/\r$/, ""));
      lines.push(`${line}\t${clipLine(text, MAX_LINE_BYTES)}`);
    }
    if (feed === -1) break;
    start = feed + 1;
  }
  return lines;
}

/** The changed places (in their order) with two lines around each, at most 24 lines, and what was left out. */
export function changedSnippet(form: TextForm, body: string, changed: readonly Span[]): string {
  const shown: string[] = [];
  let upTo = 0;
  for (const [index, span] of changed.entries()) {
    if (shown.length >= MAX_LINES) {
      shown.push(`… ${changed.length - index} more changed places`);
      break;
    }
    const first = lineAt(body, span.start);
    const last = lineAt(body, Math.max(span.start, span.end - 1));
    const from = Math.max(upTo + 1, first - CONTEXT);
    const lines = linesOrEnds(
      form,
      body,
      { from, to: last + CONTEXT },
      Math.max(1, MAX_LINES - shown.length),
    );
    if (upTo > 0 && from > upTo + 1 && lines.length > 0) shown.push("…");
    shown.push(...lines);
    upTo = Math.max(upTo, last + CONTEXT);
  }
  return shown.join("\n");
}

/** The lines of a range, or its first and last ones where it has more than `room`: a replacement may have a million. */
function linesOrEnds(
  form: TextForm,
  body: string,
  range: { from: number; to: number },
  room: number,
): string[] {
  const { from } = range;
  const to = Math.min(range.to, lineAt(body, body.endsWith("\n") ? body.length - 1 : body.length));
  if (to - from < room) return numberedLines(form, body, from, to);
  const half = Math.ceil(room / 2);
  return [
    ...numberedLines(form, body, from, from + half - 1),
    `… ${to - from + 1 - room} more lines`,
    ...numberedLines(form, body, to - (room - half) + 1, to),
  ];
}
