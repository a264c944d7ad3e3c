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

/** The changed places with two lines around each, at most 24 lines, and what was left out. */
export function changedSnippet(form: TextForm, body: string, changed: readonly Span[]): string {
  const shown: string[] = [];
  let upTo = 0;
  let leftOut = 0;
  for (const span of changed) {
    const first = lineAt(body, span.start);
    const last = lineAt(body, Math.max(span.start, span.end - 1));
    if (shown.length >= MAX_LINES) {
      leftOut++;
      continue;
    }
    const from = Math.max(upTo + 1, first - CONTEXT);
    const lines = numberedLines(form, body, from, last + CONTEXT);
    if (upTo > 0 && from > upTo + 1 && lines.length > 0) shown.push("…");
    const room = Math.max(1, MAX_LINES - shown.length);
    if (lines.length > room) {
      const half = Math.ceil(room / 2);
      const skipped = lines.length - room;
      shown.push(
        ...lines.slice(0, half),
        `… ${skipped} more lines`,
        ...lines.slice(lines.length - (room - half)),
      );
    } else shown.push(...lines);
    upTo = Math.max(upTo, last + CONTEXT);
  }
  if (leftOut > 0) shown.push(`… ${leftOut} more changed places`);
  return shown.join("\n");
}
