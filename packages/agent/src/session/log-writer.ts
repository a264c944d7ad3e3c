import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { errorMessage, isPiError } from "../contract/errors.ts";
import { fileFailure } from "../platform/file-failure.ts";
import type { Span } from "./log-line.ts";

export interface LogWriterOptions {
  path: string;
  /** Runs before the file is opened for the first time, and again after a failure: makes the folder and the lock. */
  prepare(): void;
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
      if (fstatSync(this.#fd).nlink === 0) throw new Error("the file was deleted while it was in use");
      fsyncSync(this.#fd);
    } catch (thrown) {
      this.#unsafe = true;
      this.#warn(thrown);
    }
  }

  close(): void {
    if (this.#waiting.length > 0) this.#flush();
    this.#closeFile();
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
      if (this.#warned) {
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
    const { O_APPEND, O_CREAT, O_WRONLY } = constants;
    this.#fd = openSync(this.#options.path, O_APPEND | O_CREAT | O_WRONLY, 0o600);
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
