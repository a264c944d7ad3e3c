/** Bytes that can be read at any position: an open file, or a buffer. */
export interface ByteSource {
  size: number;
  read(position: number, length: number, into?: Uint8Array): Uint8Array;
}

/** Where a line stands: its first byte and the byte after its last (its line end not included). */
export interface LineSpan {
  start: number;
  end: number;
}

/** What to look for. */
export interface ScanRequest {
  /** The first line wanted, from 1. */
  offset: number;
  limit: number;
  /** Stops collecting once this many bytes of lines have been found. */
  maxBytes: number;
  /** Bytes at the start that are no text (a byte order mark). */
  skip: number;
}

/** The lines found. */
export interface Scan {
  spans: LineSpan[];
  /** The last span's end is where looking for it was given up. */
  open: boolean;
  /** Lines of the whole file, or null when counting was given up: then there are at least `counted`. */
  total: number | null;
  counted: number;
}

const CHUNK = 256 * 1024;
/** How far a file is read on only to count its lines. */
const COUNT_BYTES = 64 * 1024 * 1024;
/** How much is scanned before an abort is looked for. */
const STEP_BYTES = 32 * 1024 * 1024;

/** Finds lines without holding the file: memory is one chunk and two numbers a line. Throws the signal's reason. */
export async function scanLines(
  source: ByteSource,
  request: ScanRequest,
  signal: AbortSignal,
): Promise<Scan> {
  const buffer = new Uint8Array(Math.min(CHUNK, Math.max(1, source.size)));
  const spans: LineSpan[] = [];
  const last = request.offset + request.limit - 1;
  let line = 1;
  let lineStart = request.skip;
  let position = request.skip;
  let collected = 0;
  let full = false;
  let countFrom = -1;
  let nextStep = position + STEP_BYTES;
  const close = (end: number) => {
    if (!full && line >= request.offset) {
      spans.push({ start: lineStart, end });
      collected += end - lineStart;
      full = line >= last || collected > request.maxBytes;
    }
    line++;
    lineStart = end + 1;
  };
  while (position < source.size) {
    const chunk = source.read(position, buffer.length, buffer);
    if (chunk.length === 0) break;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) close(position + at);
    position += chunk.length;
    // The line is longer than what can be shown: its end is only looked for to count.
    const enough = full || (line >= request.offset && position - lineStart > request.maxBytes);
    if (enough && countFrom === -1) countFrom = position;
    if (countFrom !== -1 && position - countFrom > COUNT_BYTES && position < source.size) {
      const open = !full && line >= request.offset;
      if (open) spans.push({ start: lineStart, end: position });
      return { spans, open, total: null, counted: line };
    }
    if (position >= nextStep) {
      nextStep = position + STEP_BYTES;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
  }
  if (lineStart < position) close(position);
  return { spans, open: false, total: line - 1, counted: line - 1 };
}
