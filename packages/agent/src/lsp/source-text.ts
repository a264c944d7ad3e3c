import { isPiError } from "../contract/errors.ts";
import type { FileDoor } from "../contract/files.ts";
import type { NotLooked } from "../contract/language-servers.ts";
import { formatCount } from "../platform/format-count.ts";

/** Beyond these no server is asked: generated data, and minutes of work for some servers. */
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_LINES = 50_000;
const BOM = "\ufeff";

/** A file of the project as a server sees it. */
export interface SourceText {
  /** Relative to the project. */
  shown: string;
  /** Absolute and real. */
  path: string;
  bytes: Uint8Array;
  /** Without its byte order mark. */
  text: string;
  marked: boolean;
}

/** Reads a file through the door. Throws its PiError for a file that is not there or not to be shown. */
export function readSource(files: FileDoor, file: string): SourceText | NotLooked {
  const shown = files.display(file);
  const { size } = files.stat(file);
  if (size > MOST_BYTES)
    return tooLarge(`${shown} has ${formatCount(size)} bytes, more than ${formatCount(MOST_BYTES)}`);
  const bytes = files.readAll(file, MOST_BYTES);
  const text = asText(bytes);
  if (text === null) return { state: "not_looked", code: "not_text", reason: `${shown} is no UTF-8 text` };
  const lines = lineEnds(text) + 1;
  if (lines > MOST_LINES)
    return tooLarge(`${shown} has ${formatCount(lines)} lines, more than ${formatCount(MOST_LINES)}`);
  const marked = text.startsWith(BOM);
  return { shown, path: files.real(file), bytes, text: marked ? text.slice(1) : text, marked };
}

/** As {@link readSource}, null for whatever cannot be read as text. */
export function trySource(files: FileDoor, file: string): SourceText | null {
  try {
    const source = readSource(files, file);
    return "state" in source ? null : source;
  } catch (thrown) {
    if (isPiError(thrown)) return null;
    throw thrown;
  }
}

/** The bytes of a file with another text, its byte order mark and its one kind of line end kept. */
export function bytesWith(source: SourceText, text: string): Uint8Array {
  const mark = source.marked ? BOM : "";
  return new TextEncoder().encode(mark + withLineEnds(text, lineEndOf(source.text)));
}

/** The line end that all lines of a text have; null for a mixture, and for a text of one line. */
export function lineEndOf(text: string): "\n" | "\r\n" | null {
  const all = lineEnds(text);
  if (all === 0) return null;
  const wide = text.split("\r\n").length - 1;
  return wide === 0 ? "\n" : wide === all ? "\r\n" : null;
}

function withLineEnds(text: string, lineEnd: "\n" | "\r\n" | null): string {
  if (lineEnd === null) return text;
  const narrow = text.replaceAll("\r\n", "\n");
  return lineEnd === "\n" ? narrow : narrow.replaceAll("\n", "\r\n");
}

function tooLarge(reason: string): NotLooked {
  return {
    state: "not_looked",
    code: "too_large",
    reason: `${reason}; language servers are not asked about it`,
  };
}

function asText(bytes: Uint8Array): string | null {
  if (bytes.indexOf(0) !== -1) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
