import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, systemCode } from "../contract/errors.ts";
import type { Logger } from "../contract/services.ts";
import { encodeJsonLine } from "../platform/json-lines.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { createRedactor } from "../platform/redact.ts";

export interface LoggerOptions {
  /** The folder of all logs (`~/.pi-go/log`). */
  folder: string;
  now(): number;
  sessionId: string;
  model: string;
  mode: string;
  /** Keys in use, redacted wherever they stand. */
  secrets?: readonly string[];
  /** Hears once when logging had to stop. */
  onNotice?(message: string): void;
}

type Entry = Parameters<Logger["log"]>[0];

/** The log of one session, which can learn of further secrets (a key that came with another model). */
export interface SessionLogger extends Logger {
  /** From now on this value is redacted too. */
  hide(secret: string): void;
}

/** Characters of one string that are kept; the log is for reading, the session holds the whole. */
const MOST_CHARACTERS = 32_768;
/** Streamed text is held until something else happens, so that a secret is seen whole; at most this much of it. */
const MOST_HELD = 262_144;

/**
 * The log of one session: `<folder>/YYYY-MM-DD/session-HH-MM-SS.log` (UTC, 0600), one JSON object a line with
 * `time` and `type`, secrets removed. Never throws: where the disk refuses it is off, after one notice.
 */
export function createLogger(options: LoggerOptions): SessionLogger {
  let secrets = [...(options.secrets ?? [])];
  let redactor = createRedactor(secrets);
  const started = options.now();
  /** Undefined until the first turn of the event loop: the first request need not wait for the file. */
  let fd: number | null | undefined;
  /** Written in the next turn of the event loop: nobody waits for the log, and a step of the run does not either. */
  let waiting: { entry: Entry; time: number }[] = [];
  let writing: ReturnType<typeof setImmediate> | undefined;
  let held: { entry: Entry; text: string; time: number } | null = null;

  const stop = (thrown: unknown): void => {
    if (typeof fd === "number") closeQuietly(fd);
    fd = null;
    options.onNotice?.(`logging is off for this session: ${errorMessage(thrown)}`);
  };
  const write = (entry: Entry, time: number): void => {
    if (fd === null) return;
    waiting.push({ entry, time });
    if (fd !== undefined) writing ??= setImmediate(writeWaiting);
  };
  const writeWaiting = (): void => {
    clearImmediate(writing);
    writing = undefined;
    const lines = waiting.map(({ entry, time }) => encode(entry, time)).join("");
    waiting = [];
    if (typeof fd !== "number" || lines === "") return;
    try {
      const bytes = Buffer.from(lines, "utf8");
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    } catch (thrown) {
      stop(thrown);
    }
  };
  const encode = (entry: Entry, time: number): string => {
    const stamp = { time: new Date(time).toISOString() };
    try {
      return encodeJsonLine({ ...stamp, ...(bounded(redactor.data(entry)) as object) });
    } catch (thrown) {
      const content = `an entry (${entry.type}) could not be logged: ${errorMessage(thrown)}`;
      return encodeJsonLine({ ...stamp, type: "error", content });
    }
  };
  const release = (): void => {
    if (!held) return;
    const { entry, text, time } = held;
    held = null;
    write({ ...entry, content: text }, time);
  };
  const hold = (entry: Entry, text: string): void => {
    if (held && held.entry["agent"] !== entry["agent"]) release();
    held ??= { entry, text: "", time: options.now() };
    held.text += text;
    if (held.text.length < MOST_HELD) return;
    const cut = held.text.lastIndexOf("\n") + 1 || held.text.length;
    const rest = held.text.slice(cut);
    held.text = held.text.slice(0, cut);
    release();
    if (rest !== "") hold(entry, rest);
  };

  const open = (): void => {
    clearTimeout(opening);
    if (fd !== undefined) return;
    try {
      fd = openLog(options.folder, new Date(started));
    } catch (thrown) {
      stop(thrown);
    }
    writeWaiting();
  };
  const opening = setTimeout(open, 0);

  const { sessionId, model, mode } = options;
  write({ type: "session_start", session: sessionId, model, mode }, started);

  return {
    log(entry) {
      if (fd === null) return;
      if (entry.type === "llm_text" && typeof entry["content"] === "string") hold(entry, entry["content"]);
      else {
        release();
        write(entry, options.now());
      }
    },
    hide(secret) {
      release();
      secrets = [...secrets, secret];
      redactor = createRedactor(secrets);
    },
    close() {
      open();
      release();
      writeWaiting();
      if (typeof fd === "number") closeQuietly(fd);
      fd = null;
    },
  };
}

/** A file of our own, also when two sessions begin in one second. */
function openLog(folder: string, start: Date): number {
  const [day = "", time = ""] = start.toISOString().slice(0, 19).replaceAll(":", "-").split("T");
  ensurePrivateFolder(folder);
  ensurePrivateFolder(join(folder, day));
  for (let copy = 1; ; copy++)
    try {
      return openSync(join(folder, day, `session-${time}${copy === 1 ? "" : `-${copy}`}.log`), "ax", 0o600);
    } catch (thrown) {
      if (systemCode(thrown) !== "EEXIST" || copy > 1_000) throw thrown;
    }
}

function bounded(value: unknown): unknown {
  if (typeof value === "string" && value.length > MOST_CHARACTERS)
    return `${value.slice(0, MOST_CHARACTERS)}… (${value.length - MOST_CHARACTERS} more characters)`;
  if (Array.isArray(value)) return value.map(bounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bounded(item)]));
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // the descriptor is gone either way
  }
}
