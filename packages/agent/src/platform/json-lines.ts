/**
 * JSON lines: one JSON value a line, framed by LF and nothing else. Line breaks that other programs see (U+0085, U+2028,
 * U+2029) are written escaped, so that no reader can split inside of a record.
 */

const LINE_BREAKS = /[\u0085\u2028\u2029]/;
const EVERY_LINE_BREAK = /[\u0085\u2028\u2029]/g;
/** Every escape of a JSON text; JSON.stringify writes `\udXXX` only for a surrogate without its other half. */
const ESCAPES = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g;

/**
 * One line with its LF. Lone surrogates become U+FFFD (written `\ufffd`), since no other program could read them.
 * Throws a TypeError for what JSON cannot hold (cycles, BigInt).
 */
export function encodeJsonLine(value: unknown): string {
  let text = JSON.stringify(value);
  if (LINE_BREAKS.test(text))
    text = text.replace(EVERY_LINE_BREAK, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (text.includes("\\ud"))
    text = text.replace(ESCAPES, (found, surrogate) => (surrogate ? "\\ufffd" : found));
  return `${text}\n`;
}

/** A line without its LF. `bytes` is null when the line was longer than allowed: it was dropped, `length` bytes of it. */
export interface RawLine {
  bytes: Uint8Array | null;
  length: number;
}

export interface LineSplitter {
  /** The lines that this chunk completes. Their bytes may share the chunk's memory: use them before you change it. */
  push(chunk: Uint8Array): RawLine[];
  /** What is left when the stream ends without an LF, or null. */
  end(): RawLine | null;
}

const LF = 10;

/** Splits a byte stream at LF only (never at CR or U+2028), holding at most `maxBytes` (default 64 MiB) of one line. */
export function createLineSplitter(maxBytes: number = 64 * 1024 * 1024): LineSplitter {
  let held: Uint8Array[] = [];
  let length = 0;

  const hold = (part: Uint8Array): void => {
    length += part.length;
    if (length > maxBytes) held = [];
    // A copy, because the caller may use its buffer again (a Buffer's own slice() is none).
    else if (part.length > 0) held.push(new Uint8Array(part));
  };
  const take = (last: Uint8Array): RawLine => {
    let line: RawLine;
    if (length === 0 && last.length <= maxBytes) line = { bytes: last, length: last.length };
    else {
      hold(last);
      line = { bytes: length > maxBytes ? null : Buffer.concat(held), length };
    }
    held = [];
    length = 0;
    return line;
  };

  return {
    push(chunk) {
      const lines: RawLine[] = [];
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        lines.push(take(chunk.subarray(start, at)));
        start = at + 1;
      }
      if (start < chunk.length) hold(chunk.subarray(start));
      return lines;
    },
    end() {
      return length === 0 ? null : take(new Uint8Array(0));
    },
  };
}
