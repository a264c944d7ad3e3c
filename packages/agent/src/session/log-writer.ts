import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { errorMessage, isPiError } from "../contract/errors.ts";
import { fileFailure } from "../platform/file-failure.ts";
import type { Span } from "./log-line.ts";

export interface LogWriterOptions {
  path: string;
  /** Runs before the file is opened for the first time, and again after a failure: makes the folder and the lock. */
  prepare(): void;
  /** Makes the folder and the lock anew, after somebody has deleted what was in use. */
  again(): void;
  /** False: the last line of the file lacks its LF. */
  endsWithLine: boolean;
  /** Called once when the disk begins to refuse, and once when all could be written after all. */
  onNotice(message: string): void;
}

/**
 * Appends lines, each with one write that is done before `append` returns. When the disk refuses, lines are kept in
 * memory and tried again, in order, with every later line: nothing is lost if the disk has room again before the end.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #waiting: string[] = [];
  #fd: number | null = null;
  #endsWithLine: boolean;
  #warned = false;
  #unsafe = false;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#endsWithLine = options.endsWithLine;
  }

  /** True while something that was appended is not (or may not be) on disk. */
  get degraded(): boolean {
    return this.#unsafe || this.#waiting.length > 0;
  }

  /** Where the line lies in the file; null when it waits in memory. */
  append(line: string): Span | null {
    this.#waiting.push(line);
    return this.#flush();
  }

  /** One fsync. */
  sync(): void {
    if (this.#waiting.length > 0) this.#flush();
    if (this.#fd === null) return;
    try {
      this.#keepName();
      fsyncSync(this.#fd);
    } catch (thrown) {
      this.#unsafe = true;
      this.#warn(thrown);
    }
  }

  close(): void {
    if (this.#waiting.length > 0) this.#flush();
    try {
      this.#keepName();
    } catch (thrown) {
      this.#unsafe = true;
      this.#warn(thrown);
    }
    this.#closeFile();
  }

  /**
   * Gives what was written its name again, where somebody has deleted the file or put another one in its place while it was in use
   * (a cleaner, a program that syncs folders): the open file still holds all of it, and nobody else ever could.
   */
  #keepName(): void {
    const old = this.#fd;
    if (old === null || fstatSync(old).nlink > 0) return;
    this.#options.again();
    const fd = openLog(this.#options.path);
    try {
      copyLog(old, fd);
      fsyncSync(fd);
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
    this.#fd = fd;
    this.#unsafe = false;
    closeSync(old);
    this.#options.onNotice("the session's file was deleted while it was in use, and was written anew");
  }

  /** Writes all that waits; gives the place of the last line. */
  #flush(): Span | null {
    let last: Span | null = null;
    try {
      this.#open();
      while (this.#waiting.length > 0) {
        last = this.#write(this.#waiting[0]!);
        this.#waiting.shift();
      }
      if (this.#warned && !this.#unsafe) {
        this.#warned = false;
        this.#options.onNotice("the session could be saved after all: nothing is missing on disk");
      }
      return last;
    } catch (thrown) {
      this.#closeFile();
      this.#warn(thrown);
      return null;
    }
  }

  #open(): void {
    if (this.#fd !== null) return;
    this.#options.prepare();
    this.#fd = openLog(this.#options.path);
  }

  #write(line: string): Span {
    const fd = this.#fd!;
    const bytes = Buffer.from(this.#endsWithLine ? line : `\n${line}`, "utf8");
    const start = this.#endsWithLine ? 0 : 1;
    // Asked each time: a person may have added a line of their own.
    const { size } = fstatSync(fd);
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(fd, bytes, done);
    } catch (thrown) {
      if (done > 0) this.#takeBack(fd, size);
      throw thrown;
    }
    this.#endsWithLine = true;
    return { offset: size + start, length: bytes.length - start - 1 };
  }

  /** A half-written line is removed; where it cannot be, the next line starts on a new one. */
  #takeBack(fd: number, size: number): void {
    try {
      ftruncateSync(fd, size);
    } catch {
      // the half line stays and is skipped by readers
      this.#endsWithLine = false;
    }
  }

  #closeFile(): void {
    if (this.#fd === null) return;
    try {
      closeSync(this.#fd);
    } catch {
      // the descriptor is gone either way
    }
    this.#fd = null;
  }

  #warn(thrown: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    const failure = isPiError(thrown) ? thrown : fileFailure("save", this.#options.path, thrown);
    this.#options.onNotice(
      `the session is not being saved, it goes on in memory only: ${errorMessage(failure)}${failure.hint ? `. ${failure.hint}` : ""}`,
    );
  }
}

/** For reading, too: what it holds may have to be written anew. */
function openLog(path: string): number {
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  return openSync(path, O_APPEND | O_CREAT | O_RDWR, 0o600);
}

const COPIED_AT_ONCE = 1024 * 1024;

/** Appends to `to` what it lacks of `from`. Throws where it holds something else than the beginning of that. */
function copyLog(from: number, to: number): void {
  const { size } = fstatSync(from);
  const there = fstatSync(to).size;
  const piece = Buffer.alloc(COPIED_AT_ONCE);
  const other = Buffer.alloc(COPIED_AT_ONCE);
  for (let at = 0; at < size; ) {
    const length = Math.min(COPIED_AT_ONCE, at < there ? there - at : size - at);
    const read = readSync(from, piece, 0, length, at);
    const known = at < there ? readSync(to, other, 0, read, at) : 0;
    if (read === 0 || there > size || !piece.subarray(0, known).equals(other.subarray(0, known)))
      throw new Error("another file was put in its place");
    for (let done = known; done < read; ) done += writeSync(to, piece, done, read - done);
    at += read;
  }
}
