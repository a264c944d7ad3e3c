import { decodeWithin } from "../../platform/utf8.ts";
import { characterStart } from "../shared/truncate.ts";
import { type ByteSource, type LineSpan, scanLines } from "./line-scan.ts";

/** Which part of a file to show. */
export interface PageRequest {
  /** First line, from 1. */
  offset: number;
  limit: number;
  /** First byte of the first line, from 1. */
  column: number;
  /** Bytes of text at most. */
  maxBytes: number;
  /** Bytes at the start of the file that are no text. */
  skip: number;
}

/** Numbered lines and where they stand. */
export interface Page {
  /** Lines as `number TAB text`, joined by line feeds. */
  text: string;
  first: number;
  /** The last line shown, also if only in part; `first - 1` when none is. */
  last: number;
  /** Lines of the file; null when counting was given up at `counted`. */
  total: number | null;
  counted: number;
  /** A line shown in part: bytes from..to (1-based) of all `length` bytes (a lower bound where `open`). */
  partial?: { line: number; from: number; to: number; length: number; open: boolean };
  /** Set when our own limits, not the caller's, end the page before the file ends. */
  stoppedBy?: "bytes";
  /** Bytes that were no UTF-8. */
  invalid: number;
  /** All shown lines end in CRLF. */
  crlf: boolean;
  /** The last shown line is the file's last and has no line end. */
  noFinalNewline: boolean;
}

/** Reads one page of a file of UTF-8 (or unknown 8-bit) text. Memory is bounded by `maxBytes`, whatever the size of file or line. */
export async function readPage(source: ByteSource, request: PageRequest, signal: AbortSignal): Promise<Page> {
  const beyond = request.column - 1 + request.maxBytes;
  const scan = await scanLines(source, { ...request, maxBytes: beyond }, signal);
  const page: Page = {
    text: "",
    first: request.offset,
    last: request.offset - 1,
    total: scan.total,
    counted: scan.counted,
    invalid: 0,
    crlf: scan.spans.length > 0,
    noFinalNewline: false,
  };
  const lines: string[] = [];
  let room = request.maxBytes;
  for (const [index, span] of scan.spans.entries()) {
    const number = request.offset + index;
    const prefix = `${number}\t`;
    const start = index === 0 ? columnStart(source, span, request.column) : span.start;
    const shown = readLine(source, start, span.end, room - prefix.length - 1);
    if (!shown.whole && index > 0) {
      page.stoppedBy = "bytes";
      break;
    }
    lines.push(prefix + shown.text);
    room -= prefix.length + 1 + shown.bytes;
    page.last = number;
    page.invalid += shown.invalid;
    page.crlf &&= shown.crlf;
    page.noFinalNewline = shown.whole && span.end >= source.size;
    if (!shown.whole || start > span.start) {
      const open = scan.open && index === scan.spans.length - 1;
      const from = start - span.start + 1;
      page.partial = { line: number, from, to: from + shown.used - 1, length: span.end - span.start, open };
    }
    if (!shown.whole) {
      page.stoppedBy = "bytes";
      break;
    }
  }
  page.text = lines.join("\n");
  return page;
}

interface ShownLine {
  text: string;
  /** Bytes of the text. */
  bytes: number;
  /** Bytes of the file that the text stands for. */
  used: number;
  whole: boolean;
  crlf: boolean;
  invalid: number;
}

function readLine(source: ByteSource, start: number, end: number, room: number): ShownLine {
  const length = Math.max(0, end - start);
  const raw = source.read(start, Math.min(length, Math.max(0, room) + 2));
  const crlf = raw.length === length && raw.at(-1) === 13 && end < source.size;
  const { text, used, invalid } = decodeWithin(crlf ? raw.subarray(0, -1) : raw, Math.max(0, room));
  const consumed = crlf ? used + 1 : used;
  return { text, bytes: Buffer.byteLength(text), used, whole: consumed >= length, crlf, invalid };
}

/** The byte of a column, moved back to the start of its character. */
function columnStart(source: ByteSource, span: LineSpan, column: number): number {
  const asked = Math.min(span.start + column - 1, span.end);
  const from = Math.max(span.start, asked - 3);
  return from + characterStart(source.read(from, asked - from + 1), asked - from);
}
