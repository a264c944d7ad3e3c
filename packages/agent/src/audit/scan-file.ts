import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Finding, ScanResult, Severity } from "../contract/audit.ts";
import { noCounts, scan } from "./scan.ts";

/** A file is read and judged in pieces of whole lines of about this size. */
const WINDOW = 8 * 1024 * 1024;
const MOST_LISTED = 100;
const SNIFFED = 8192;

/** Of such files NUL bytes are a finding; other files with NUL bytes are no text. */
const TEXT_NAME =
  /(?:^|[\\/])[^.\\/]+$|\.(?:md|mdx|markdown|txt|rst|jsonc?|ya?ml|toml|ini|xml|html?|css|csv|sh|bash|zsh|fish|ps1|py|rb|pl|js|mjs|cjs|ts|tsx|jsx|go|rs|java|c|h|cpp|lua|sql|ini|cfg|conf)$/i;

export interface FileScan extends ScanResult {
  size: number;
}

/**
 * The hidden characters of a file of any size, in bounded memory; "binary" when it is no text. `windowBytes`: about how much is held at
 * a time. Direction controls are judged within a piece, so that only a line longer than it is judged in parts. Throws what the system
 * refuses.
 */
export async function scanFile(
  path: string,
  signal?: AbortSignal,
  windowBytes: number = WINDOW,
): Promise<FileScan | "binary"> {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(fd).isFile()) throw new Error("it is not a file");
    const total: FileScan = { findings: [], counts: noCounts(), leftOut: 0, size: 0 };
    const buffer = Buffer.allocUnsafe(Math.min(windowBytes, Math.max(fstatSync(fd).size, SNIFFED) + 1));
    let place: Start = { offset: 0, line: 0, column: 0 };
    let held = 0;
    for (;;) {
      const read = fill(fd, buffer, held);
      const filled = held + read;
      if (
        place.offset === 0 &&
        !TEXT_NAME.test(path) &&
        buffer.subarray(0, Math.min(filled, SNIFFED)).includes(0)
      )
        return "binary";
      const isLast = filled < buffer.length;
      const end = isLast ? filled : wholePart(buffer);
      const piece = buffer.subarray(0, end);
      add(total, scan(piece, { kind: place.offset === 0 ? "file" : "value", most: MOST_LISTED }), place);
      place = after(piece, place);
      total.size = place.offset;
      if (isLast || signal?.aborted) return total;
      buffer.copyWithin(0, end);
      held = filled - end;
      // So that an interrupt is heard.
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    closeSync(fd);
  }
}

/** Where a piece begins. `column`: characters of its first line that came before it. */
interface Start {
  offset: number;
  line: number;
  column: number;
}

function fill(fd: number, buffer: Buffer, from: number): number {
  let length = from;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length - from;
}

/** Up to the last line feed; without one up to the last character that is whole. */
function wholePart(bytes: Buffer): number {
  const line = bytes.lastIndexOf(0x0a);
  if (line >= 0) return line + 1;
  let end = bytes.length;
  // 10xxxxxx continues a character, 11xxxxxx begins one of several bytes; no character has more than four.
  for (let back = 1; back <= 4; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    if (byte >= 0xc0) end = bytes.length - back;
    break;
  }
  return end === 0 ? bytes.length : end;
}

function add(total: FileScan, piece: ScanResult, start: Start): void {
  total.leftOut += piece.leftOut;
  for (const severity of Object.keys(piece.counts) as Severity[])
    total.counts[severity] += piece.counts[severity];
  const listed = noCounts();
  for (const { severity } of total.findings) listed[severity]++;
  for (const finding of piece.findings)
    if (++listed[finding.severity] > MOST_LISTED) total.leftOut++;
    else total.findings.push(moved(finding, start));
}

function moved(finding: Finding, start: Start): Finding {
  return {
    ...finding,
    column: finding.line === 1 ? finding.column + start.column : finding.column,
    line: finding.line + start.line,
    offset: finding.offset + start.offset,
  };
}

function after(piece: Buffer, start: Start): Start {
  let line = start.line;
  let lineStart = -1;
  for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, at + 1)) {
    line++;
    lineStart = at;
  }
  let column = lineStart < 0 ? start.column : 0;
  for (let at = lineStart + 1; at < piece.length; at++) if ((piece[at]! & 0xc0) !== 0x80) column++;
  return { offset: start.offset + piece.length, line, column };
}
