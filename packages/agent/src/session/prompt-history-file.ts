/** The file of earlier prompts: JSON lines that several processes append to, read from its end. */
import { closeSync, constants, fchmodSync, fstatSync, openSync, type Stats, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileFailure } from "../platform/file-failure.ts";
import { encodeJsonLine } from "../platform/json-lines.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { readFully } from "./read-fully.ts";

export interface PromptRecord {
  /** The project folder: an absolute real path. */
  cwd: string;
  text: string;
  /** When it was sent, as an ISO time. */
  time: string;
}

const FIRST_PIECE = 256 * 1024;
const MOST_READ = 8 * 1024 * 1024;
const LF = 10;

/**
 * Appends one line, with one write, so that lines of several processes do not mix. The file is 0600. Throws a PiError with a
 * FileErrorCode.
 */
export function appendPrompt(path: string, record: PromptRecord): void {
  try {
    ensurePrivateFolder(dirname(path));
    // Never waits, whatever stands in the file's place.
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
    const fd = openSync(path, flags, 0o600);
    try {
      const stat = regular(fd, path);
      if (process.platform !== "win32" && (stat.mode & 0o077) !== 0 && stat.uid === process.getuid?.())
        fchmodSync(fd, 0o600);
      const line = encodeJsonLine(record);
      const bytes = Buffer.from(endsWithLine(fd, stat.size) ? line : `\n${line}`);
      if (writeSync(fd, bytes) < bytes.length) throw new Error("the disk took only a part of the line");
    } finally {
      closeSync(fd);
    }
  } catch (thrown) {
    throw fileFailure("add to", path, thrown);
  }
}

/**
 * A line that another process could not finish must not take the next one with it. One that is being written at this moment looks the
 * same; that costs an empty line, which readers pass over.
 */
function endsWithLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || readFully(fd, last, size - 1, 1) === 0 || last[0] === LF;
}

function regular(fd: number, path: string): Stats {
  const stat = fstatSync(fd);
  if (!stat.isFile()) throw new Error(`${path} is not a file`);
  return stat;
}

/**
 * What the file has, read as it grows. The first look reads from the end until `enough` of the records hold, or 8 MB; a later one reads
 * only what was added. Lines that are damaged or not finished are passed over; a missing file is an empty one.
 */
export class PromptHistoryReader {
  readonly #path: string;
  readonly #enough: (records: readonly PromptRecord[]) => boolean;
  #records: PromptRecord[] = [];
  /** Up to where lines were read, and of which file. */
  #position = 0;
  #inode = 0;

  constructor(path: string, enough: (records: readonly PromptRecord[]) => boolean) {
    this.#path = path;
    this.#enough = enough;
  }

  /** In the order of the file, the latest last. Throws a PiError with a FileErrorCode when it cannot be read. */
  records(): readonly PromptRecord[] {
    try {
      const fd = openSync(this.#path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        this.#update(fd, regular(fd, this.#path));
      } finally {
        closeSync(fd);
      }
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code !== "ENOENT") throw fileFailure("read", this.#path, thrown);
      this.#records = [];
      this.#position = 0;
    }
    return this.#records;
  }

  #update(fd: number, { size, ino }: Stats): void {
    const fresh = this.#position === 0 || ino !== this.#inode || size < this.#position;
    const added = size - this.#position;
    this.#inode = ino;
    if (!fresh && added <= MOST_READ) {
      if (added > 0) this.#records.push(...this.#read(fd, this.#position, size));
      return;
    }
    for (let length = FIRST_PIECE; ; length *= 4) {
      const start = Math.max(0, size - Math.min(length, MOST_READ));
      this.#records = this.#read(fd, start, size);
      if (start === 0 || length >= MOST_READ || this.#enough(this.#records)) return;
    }
  }

  /** A start that is not a line's costs that line; what follows the last LF is left for the next look. */
  #read(fd: number, start: number, end: number): PromptRecord[] {
    const bytes = Buffer.alloc(end - start);
    const whole = bytes.subarray(0, readFully(fd, bytes, start, bytes.length));
    const last = whole.lastIndexOf(LF) + 1;
    this.#position = start + last;
    const records: PromptRecord[] = [];
    for (const line of whole.toString("utf8", 0, last).split("\n")) {
      const record = parse(line);
      if (record !== null) records.push(record);
    }
    return records;
  }
}

function parse(line: string): PromptRecord | null {
  if (!line.startsWith("{")) return null;
  try {
    const { cwd, text, time } = JSON.parse(line) as Partial<Record<keyof PromptRecord, unknown>>;
    if (typeof cwd !== "string" || typeof text !== "string" || text === "") return null;
    return { cwd, text, time: typeof time === "string" ? time : "" };
  } catch {
    // torn: the process or the machine went down while it was written
    return null;
  }
}
