/** What one line of `events.jsonl` holds: usually one record; after a crash or a bad disk a part of one, or several. */
import type { SessionRecord } from "../contract/session.ts";

/** The start of every record, read without parsing the rest. */
export interface RecordHead {
  id: string;
  parent: string | null;
  ts: string;
  type: string;
}

/** Where a record's bytes lie in the file. */
export interface Span {
  offset: number;
  length: number;
}

export interface LineContent {
  /** In order. Without a span: a record whose rest is lost; its head still says where its children belong. */
  records: { head: RecordHead; span: Span | null }[];
  damaged: boolean;
}

/** We write these four first; a line that starts otherwise is parsed whole. */
const HEAD =
  /^\{"id":"([^"\\]{1,64})","parent":(?:null|"([^"\\]{1,64})"),"ts":"([^"\\]{1,40})","type":"([^"\\]{1,40})"/;
const HEAD_BYTES = 256;
const USUAL_HEAD_BYTES = 112;
const ID_OFFSET = '{"id":"'.length;
const TYPES: ReadonlyMap<string, string> = new Map(
  ["message", "head", "branch", "compaction", "undo", "setting"].map((type) => [type, type]),
);
/** Can stand inside of a record only where an object's first key is `id`: inside of a string the quotes are escaped. */
const MARKER = Buffer.from('{"id":"');
const MOST_PIECES = 64;
const [CLOSE, CR, SPACE] = [0x7d, 0x0d, 0x20];

/** Reads the head of a record that starts at `start`, or null. */
export function readHead(bytes: Buffer, start: number, end: number): RecordHead | null {
  // A usual head is short, and most of the time goes into making the text.
  const match = headIn(bytes, start, end, USUAL_HEAD_BYTES) ?? headIn(bytes, start, end, HEAD_BYTES);
  if (!match) return null;
  const idStart = start + ID_OFFSET;
  return {
    // What is kept of every record must not keep the text around it, as a piece of a longer string does.
    id: bytes.toString("latin1", idStart, idStart + match[1]!.length),
    parent: match[2] ?? null,
    ts: match[3]!,
    type: TYPES.get(match[4]!) ?? match[4]!,
  };
}

function headIn(bytes: Buffer, start: number, end: number, most: number): RegExpExecArray | null {
  return HEAD.exec(bytes.toString("latin1", start, Math.min(end, start + most)));
}

/**
 * Reads a line that lies at `start`..`end` of `bytes` and at `offset` of the file. `torn`: its LF is missing, so that it
 * may end anywhere and is parsed whole; of other lines only the head and the last brace are looked at.
 */
export function readLine(
  bytes: Buffer,
  start: number,
  end: number,
  offset: number,
  torn: boolean,
): LineContent {
  // A run of NULs is what a power cut leaves of a block that was never written; CR what an editor adds.
  while (start < end && bytes[start]! <= SPACE) {
    start++;
    offset++;
  }
  while (start < end && (bytes[end - 1] === CR || bytes[end - 1] === SPACE || bytes[end - 1] === 0)) end--;
  const head = torn ? null : readHead(bytes, start, end);
  if (head && bytes[end - 1] === CLOSE) {
    const marker = bytes.subarray(start + 1, end).indexOf(MARKER);
    if (marker === -1) return { records: [{ head, span: { offset, length: end - start } }], damaged: false };
  }
  return readPieces(bytes.subarray(start, end), offset);
}

/** Parses a record's bytes; null when they are no record. */
export function parseRecord(bytes: Buffer): SessionRecord | null {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isRecord(value) ? value : null;
  } catch {
    // a damaged line: the caller reports it
    return null;
  }
}

function isRecord(value: unknown): value is SessionRecord {
  if (typeof value !== "object" || value === null) return false;
  const { id, parent, ts, type } = value as Record<string, unknown>;
  const whole = typeof id === "string" && id !== "" && typeof ts === "string" && typeof type === "string";
  return whole && (parent === null || typeof parent === "string");
}

/** Several records without a line break between them, or with the torn half of another one: the longest that parse win. */
function readPieces(bytes: Buffer, offset: number): LineContent {
  const content: LineContent = { records: [], damaged: false };
  if (bytes.length === 0) return content;
  const starts = [0];
  for (
    let at = bytes.indexOf(MARKER, 1);
    at !== -1 && starts.length < MOST_PIECES;
    at = bytes.indexOf(MARKER, at + 1)
  )
    starts.push(at);
  for (let i = 0; i < starts.length; ) {
    const start = starts[i]!;
    let next = i + 1;
    let found = false;
    for (let j = starts.length; j > i && !found; j--) {
      const end = starts[j] ?? bytes.length;
      const record = parseRecord(bytes.subarray(start, end));
      if (!record) continue;
      const { id, parent, ts, type } = record;
      content.records.push({
        head: { id, parent, ts, type },
        span: { offset: offset + start, length: end - start },
      });
      next = j;
      found = true;
    }
    if (!found) {
      content.damaged = true;
      const ghost = readHead(bytes, start, bytes.length);
      if (ghost) content.records.push({ head: ghost, span: null });
    }
    i = next;
  }
  if (content.records.length > 1) content.damaged = true;
  return content;
}
