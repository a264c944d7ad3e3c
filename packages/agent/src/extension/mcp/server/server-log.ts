import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../../../platform/atomic-file.ts";
import { ensurePrivateFolder } from "../../../platform/private-folder.ts";
import type { Redactor } from "../../../platform/redact.ts";

/** The file holds at most this; the older half goes when it is full. */
const MOST_BYTES = 1024 * 1024;
/** What waits to be written; a server that says more in that time is cut short. */
const MOST_WAITING = 64 * 1024;
const LONGEST_LINE = 4_000;
const WRITE_AFTER_MS = 200;

/** What a server says beside the protocol, kept in a private file (0600) of at most 1 MB. Never throws. */
export interface ServerLog {
  readonly path: string;
  /** The last line that the server itself wrote to stderr; null when there is none. */
  readonly lastLine: string | null;
  /** Bytes of its stderr as they come. */
  stderr(bytes: Uint8Array): void;
  /** The process has ended: what waits for its line feed is a line, too. */
  stderrEnd(): void;
  /** A line of ours or of the protocol. */
  note(text: string): void;
  /** Writes what waits. */
  flush(): void;
}

/** A log at `path`; `redact` takes secrets out of every line. `now` in milliseconds since 1970. */
export function serverLog(path: string, redact: Redactor, now: () => number): ServerLog {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastLine: string | null = null;
  let partial = "";
  let decoder = new TextDecoder();

  function add(text: string): void {
    if (waitingBytes > MOST_WAITING) {
      dropped += text.length;
      return;
    }
    const line =
      text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)}… (${text.length} characters)`;
    waiting.push(`${new Date(now()).toISOString()} ${line}\n`);
    waitingBytes += line.length;
    if (timer !== undefined) return;
    timer = setTimeout(flush, WRITE_AFTER_MS);
    timer.unref?.();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const left = dropped === 0 ? "" : `… ${dropped} more characters came too fast to be kept\n`;
    const text = redact.text(waiting.join("") + left);
    waiting = [];
    waitingBytes = 0;
    dropped = 0;
    write(path, text);
  }

  function line(text: string): void {
    const trimmed = text.trimEnd();
    if (trimmed === "") return;
    lastLine = trimmed;
    add(`stderr: ${trimmed}`);
  }

  return {
    path,
    get lastLine() {
      return lastLine === null ? null : redact.text(lastLine.slice(0, 500).toWellFormed());
    },
    stderr(bytes) {
      const lines = (partial + decoder.decode(bytes, { stream: true })).split("\n");
      partial = lines.pop()!;
      for (const each of lines) line(each);
      if (partial.length > LONGEST_LINE) {
        line(partial);
        partial = "";
      }
    },
    stderrEnd() {
      line(partial + decoder.decode());
      partial = "";
      decoder = new TextDecoder();
    },
    note: add,
    flush,
  };
}

function write(path: string, text: string): void {
  try {
    ensurePrivateFolder(dirname(path));
    appendFileSync(path, text, { mode: 0o600 });
    const fd = openSync(path, "r");
    try {
      const { size } = fstatSync(fd);
      if (size > MOST_BYTES) writeFileAtomic(path, newerHalf(fd, size), { mode: 0o600, durable: false });
    } finally {
      closeSync(fd);
    }
  } catch {
    // A log that cannot be written must not stop what it is about.
  }
}

function newerHalf(fd: number, size: number): Uint8Array {
  const bytes = new Uint8Array(MOST_BYTES / 2);
  const read = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
  const kept = bytes.subarray(0, read);
  return kept.subarray(kept.indexOf(10) + 1);
}
