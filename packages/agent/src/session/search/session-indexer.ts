import type { Database } from "bun:sqlite";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { parseRecord } from "../log-line.ts";
import { messageText } from "./record-text.ts";
import { indexText } from "./search-text.ts";

/** Text of one entry of the index, about one exchange: small enough to be read again for a snippet, large enough that words of one thought stand together. */
const CHUNK_TEXT = 8 * 1024;
const CHUNK_BYTES = 256 * 1024;
const PIECE = 4 * 1024 * 1024;
/** A longer line has no text that anybody wrote. */
const MOST_LINE = 16 * 1024 * 1024;
const MARK_BYTES = 64;
const LF = 10;

/** What is indexed of a session. */
export interface IndexedSession {
  key: number;
  /** Up to this byte, which follows an LF. */
  indexed: number;
  inode: string;
  /** The last bytes before `indexed`: another file with the same name has others there. */
  mark: string;
}

/**
 * Brings a session's part of the index up to date, in one transaction, reading at most `mostBytes` (and the end of the line there).
 * Returns how many bytes were read, and whether that was all there is.
 */
export function indexSession(
  database: Database,
  id: string,
  path: string,
  mostBytes: number,
): { bytes: number; whole: boolean } {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { bytes: 0, whole: true };
    const known = database
      .query<IndexedSession, [string]>("SELECT key, indexed, inode, mark FROM sessions WHERE id = ?")
      .get(id);
    const same =
      known !== null &&
      known.inode === String(stat.ino) &&
      known.indexed <= stat.size &&
      known.mark === markAt(fd, known.indexed);
    if (same && known.indexed === stat.size) return { bytes: 0, whole: true };
    let result = { bytes: 0, whole: true };
    database
      .transaction(() => {
        if (known !== null && !same) dropSession(database, known.key);
        const key = same ? known.key : newKey(database, id, String(stat.ino));
        const from = same ? known.indexed : 0;
        const end = addChunks(database, key, fd, from, Math.min(stat.size, from + mostBytes), stat.size);
        database.run("UPDATE sessions SET indexed = ?, mark = ? WHERE key = ?", [end, markAt(fd, end), key]);
        result = { bytes: end - from, whole: from + mostBytes >= stat.size || end === from };
      })
      .immediate();
    return result;
  } finally {
    closeSync(fd);
  }
}

/** Takes a session out of the index. */
export function dropSession(database: Database, key: number): void {
  try {
    database.run("DELETE FROM words WHERE rowid IN (SELECT key FROM chunks WHERE session = ?)", [key]);
  } catch (thrown) {
    // Where words cannot be taken out they stay without a place, and no key is ever used twice.
    if (!/contentless/.test(String(thrown))) throw thrown;
  }
  database.run("DELETE FROM chunks WHERE session = ?", [key]);
  database.run("DELETE FROM sessions WHERE key = ?", [key]);
}

function newKey(database: Database, id: string, inode: string): number {
  const inserted = database.run("INSERT INTO sessions(id, inode, indexed, mark) VALUES(?, ?, 0, '')", [
    id,
    inode,
  ]);
  return Number(inserted.lastInsertRowid);
}

function markAt(fd: number, end: number): string {
  const bytes = Buffer.alloc(Math.min(MARK_BYTES, end));
  readSync(fd, bytes, 0, bytes.length, end - bytes.length);
  return bytes.toString("latin1");
}

/** Adds whole lines from `from` on until one ends at or after `enough`; returns where the last one ends. */
function addChunks(
  database: Database,
  session: number,
  fd: number,
  from: number,
  enough: number,
  size: number,
): number {
  const addChunk = database.query("INSERT INTO chunks(session, start, stop) VALUES(?, ?, ?)");
  const addWords = database.query("INSERT INTO words(rowid, text) VALUES(?, ?)");
  let start = from;
  let texts: string[] = [];
  let length = 0;
  const flush = (stop: number): void => {
    if (texts.length > 0) {
      const { lastInsertRowid } = addChunk.run(session, start, stop);
      addWords.run(lastInsertRowid, indexText(texts.join("\n")));
    }
    texts = [];
    length = 0;
    start = stop;
  };
  let done = from;
  for (const { bytes, stop } of linesFrom(fd, from, size)) {
    const text = bytes === null ? "" : lineText(bytes);
    if (text !== "" && (length + text.length > CHUNK_TEXT || stop - start > CHUNK_BYTES)) flush(done);
    if (text !== "") {
      texts.push(text);
      length += text.length;
    }
    done = stop;
    if (done >= enough) break;
  }
  flush(done);
  return done;
}

const MESSAGE = '"type":"message"';

function lineText(bytes: Buffer): string {
  // Records that hold no message are passed over without parsing them.
  if (!bytes.toString("latin1", 0, 256).includes(MESSAGE)) return "";
  const record = parseRecord(bytes);
  return record?.type === "message" ? messageText(record.message) : "";
}

/** Whole lines with the byte after their LF; `bytes` is null for one that is too long, and else valid until the next step. */
function* linesFrom(
  fd: number,
  from: number,
  size: number,
): Generator<{ bytes: Buffer | null; stop: number }> {
  let buffer = Buffer.allocUnsafe(Math.min(PIECE, Math.max(size - from, 1)));
  let filled = 0;
  let base = from;
  let skipping = false;
  for (;;) {
    if (filled === buffer.length) {
      if (buffer.length >= MOST_LINE) {
        skipping = true;
        base += filled;
        filled = 0;
      } else {
        const larger = Buffer.allocUnsafe(buffer.length * 2);
        buffer.copy(larger, 0, 0, filled);
        buffer = larger;
      }
    }
    const read = readSync(
      fd,
      buffer,
      filled,
      Math.min(buffer.length - filled, size - base - filled),
      base + filled,
    );
    if (read === 0) return;
    const end = filled + read;
    // A plain array: looking for one byte is ten times faster there than in a Buffer (Bun 1.4).
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, end);
    let start = 0;
    for (let at = bytes.indexOf(LF, filled); at !== -1; at = bytes.indexOf(LF, start)) {
      yield { bytes: skipping ? null : buffer.subarray(start, at), stop: base + at + 1 };
      skipping = false;
      start = at + 1;
    }
    buffer.copyWithin(0, start, end);
    filled = end - start;
    base += start;
  }
}
