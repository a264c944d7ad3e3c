/**
 * A cache of what lists show of every session, so that a list reads one file instead of one a session. Each row names the state of
 * the file that it was made from; a row that does not match is made anew. Never the truth: any of it may be missing, old or damaged.
 */
import { appendFileSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { readSmallFile } from "../platform/read-small-file.ts";
import { readPiGoMeta } from "./import/pi-go-meta.ts";
import type { ListedSession } from "./listed-session.ts";
import { EVENTS_FILE, META_FILE, readMeta } from "./session-meta.ts";

interface Row {
  /** The state of the file that the row was made from. */
  state: string;
  /** Null: the folder holds no session. */
  session: ListedSession | null;
}

const VERSION = "pi-ts session list 1";
const MOST_BYTES = 256 * 1024 * 1024;
/** Rows that were replaced since the file was last written whole; more than this and than the rows that count: it is written anew. */
const MOST_STALE = 1_000;

export class SessionList {
  readonly #root: string;
  readonly #file: string | null;

  /** `file`: where the cache lies; null: none. */
  constructor(root: string, file: string | null) {
    this.#root = root;
    this.#file = file;
  }

  /** What these session folders hold, in no order; folders that hold no session are left out. Never throws. */
  read(ids: readonly string[]): ListedSession[] {
    const { rows, lines } = this.#load();
    const fresh: [id: string, row: Row][] = [];
    const found: ListedSession[] = [];
    for (const id of ids) {
      const state = stateOf(join(this.#root, id));
      let row = rows.get(id);
      if (row === undefined || row.state !== state) {
        row = { state, session: state === "" ? null : sessionIn(join(this.#root, id), id) };
        fresh.push([id, row]);
        rows.set(id, row);
      }
      if (row.session !== null) found.push(row.session);
    }
    this.#save(rows, fresh, lines, ids);
    return found;
  }

  /** The project folders that sessions are known to belong to, without a look at the sessions: a session keeps its folder for life. */
  folders(): Map<string, string> {
    const folders = new Map<string, string>();
    for (const [id, { session }] of this.#load().rows)
      if (session !== null && session.foreign === undefined) folders.set(id, session.cwd);
    return folders;
  }

  #load(): { rows: Map<string, Row>; lines: number } {
    const rows = new Map<string, Row>();
    if (this.#file === null) return { rows, lines: 0 };
    let text: string;
    try {
      text = readSmallFile(this.#file, MOST_BYTES);
    } catch {
      // not there yet, or not readable: every row is made anew
      return { rows, lines: 0 };
    }
    if (!text.startsWith(`${VERSION}\n`)) return { rows, lines: 0 };
    const values = parseLines(text.slice(VERSION.length + 1));
    for (const value of values) addRow(rows, value);
    return { rows, lines: values.length };
  }

  #save(
    rows: ReadonlyMap<string, Row>,
    fresh: readonly [string, Row][],
    lines: number,
    ids: readonly string[],
  ): void {
    const file = this.#file;
    const stale = lines + fresh.length - ids.length;
    if (file === null || (fresh.length === 0 && stale <= Math.max(MOST_STALE, ids.length))) return;
    try {
      if (lines > 0 && stale <= Math.max(MOST_STALE, ids.length)) {
        // One write: lines of several processes do not mix.
        appendFileSync(file, fresh.map(([id, row]) => lineOf(id, row)).join(""), { mode: 0o600 });
        return;
      }
      ensurePrivateFolder(dirname(file));
      const text = ids.flatMap((id) => {
        const row = rows.get(id);
        return row === undefined ? [] : [lineOf(id, row)];
      });
      writeFileAtomic(file, `${VERSION}\n${text.join("")}`, { mode: 0o600, durable: false });
    } catch {
      // a list without its cache is slower, and no worse
    }
  }
}

function lineOf(id: string, { state, session }: Row): string {
  return `${JSON.stringify([id, state, session])}\n`;
}

/** The values of all lines that parse; in one go where all do, which is several times faster. */
function parseLines(text: string): unknown[] {
  try {
    return JSON.parse(`[${text.trimEnd().replaceAll("\n", ",")}]`) as unknown[];
  } catch {
    // a line was torn by a crash
  }
  return text.split("\n").flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      // this one
      return [];
    }
  });
}

function addRow(rows: Map<string, Row>, value: unknown): void {
  if (!Array.isArray(value)) return;
  const [id, state, session] = value as [unknown, unknown, ListedSession | null];
  if (typeof id !== "string" || typeof state !== "string" || session === undefined) return;
  const whole = session === null || (session.id === id && typeof session.updated === "string");
  if (whole && (session === null || typeof session.cwd === "string")) rows.set(id, { state, session });
}

/** Changes whenever `meta.json` (where that is missing, the log) does; empty: there is neither. */
function stateOf(folder: string): string {
  const meta = stat(join(folder, META_FILE));
  if (meta) return `${meta.mtimeMs} ${meta.size} ${meta.ino}`;
  const log = stat(join(folder, EVENTS_FILE));
  return log ? `log ${log.mtimeMs} ${log.size}` : "";
}

function stat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // not a folder, or not ours to enter
    return undefined;
  }
}

/** The session in a folder, ours or pi-go's; null for a folder that holds none. */
export function sessionIn(folder: string, id: string): ListedSession | null {
  return readMeta(folder, id) ?? readPiGoMeta(folder, id);
}
