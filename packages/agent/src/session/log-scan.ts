import { fstatSync, readSync } from "node:fs";
import { type RecordHead, readHead, readLine, type Span } from "./log-line.ts";

/** A longer line is skipped without being held in memory. No record that a model could take comes near. */
export const MOST_LINE_BYTES = 64 * 1024 * 1024;
const FIRST_BUFFER = 1024 * 1024;
const LF = 10;

export interface LogVisitor {
  /** A record that can be read; `bytes` gives its own, which are valid only during the call. */
  record(head: RecordHead, span: Span, bytes: () => Buffer): void;
  /** A record whose rest is lost. */
  ghost(head: RecordHead): void;
  /** Line `line` (from 1) holds something that cannot be read. */
  damaged(line: number, why: "damaged" | "too long" | "cut off at the end"): void;
}

/** Reads the heads of all records, in order, in memory that does not grow with the file. */
export function scanLog(
  fd: number,
  visitor: LogVisitor,
  mostLineBytes: number = MOST_LINE_BYTES,
): { size: number; endsWithLine: boolean } {
  const { size } = fstatSync(fd);
  let buffer = Buffer.allocUnsafe(Math.min(Math.max(size, 1), FIRST_BUFFER));
  let filled = 0;
  let base = 0; // offset in the file of buffer[0]
  let line = 0;
  let skipping = false;

  const take = (start: number, end: number, last: boolean): void => {
    line++;
    const content = readLine(buffer, start, end, base + start, last);
    for (const { head, span } of content.records)
      if (span) {
        const from = span.offset - base;
        visitor.record(head, span, () => buffer.subarray(from, from + span.length));
      } else visitor.ghost(head);
    if (content.damaged) visitor.damaged(line, last ? "cut off at the end" : "damaged");
  };

  for (let position = 0; position < size; ) {
    if (filled === buffer.length) {
      if (buffer.length >= mostLineBytes) {
        if (!skipping) {
          const head = readHead(buffer, 0, filled);
          if (head) visitor.ghost(head);
          skipping = true;
        }
        base += filled;
        filled = 0;
      } else {
        const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, mostLineBytes));
        buffer.copy(larger, 0, 0, filled);
        buffer = larger;
      }
    }
    const read = readSync(fd, buffer, filled, Math.min(buffer.length - filled, size - position), position);
    if (read === 0) break; // the file was cut while we read it
    position += read;
    const end = filled + read;
    let start = 0;
    // A plain array: looking for one byte is ten times faster there than in a Buffer (Bun 1.4).
    const chunk = new Uint8Array(buffer.buffer, buffer.byteOffset, end);
    for (let at = chunk.indexOf(LF, filled); at !== -1; at = chunk.indexOf(LF, start)) {
      if (skipping) {
        visitor.damaged(++line, "too long");
        skipping = false;
      } else take(start, at, false);
      start = at + 1;
    }
    buffer.copyWithin(0, start, end);
    filled = end - start;
    base += start;
  }
  const endsWithLine = filled === 0 && !skipping;
  if (skipping) visitor.damaged(++line, "too long");
  else if (filled > 0) take(0, filled, true);
  return { size, endsWithLine };
}
