import { closeSync, createReadStream, fsyncSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { StoreError } from "../../../core/errors.ts";
import type { PgRow, PgSession } from "../database.ts";

/** The tables of a store, in an order in which each finds what it refers to. Leases are of running programs, and stay out. */
export const BACKUP_TABLES = [
  "scopes",
  "scope_links",
  "sessions",
  "session_summaries",
  "memories",
  "term_counts",
  "pending_successors",
  "embedding_spaces",
  "memory_vectors",
  "tombstones",
  "statistics",
  "projects",
  "project_aliases",
  "recall_traces",
  "corrections",
  "counters",
] as const;

export type BackupTable = (typeof BACKUP_TABLES)[number];

/** What stands in the last line of a whole backup: how many rows of each table there are. */
export type RowCounts = Readonly<Record<string, number>>;

const FORMAT = "agentic-remem postgres 1";
const ROWS_AT_ONCE = 500;

/**
 * Writes all tables that a transaction sees to a new file (JSON lines, 0600): a head with the layout, the rows, and at the end their
 * counts. Rejects with a StoreError when the file exists; a file that could not be finished is removed.
 */
export async function writeBackup(session: PgSession, file: string): Promise<RowCounts> {
  const handle = create(file);
  try {
    const line = (value: unknown) => writeFileSync(handle, `${JSON.stringify(value)}\n`);
    line({ format: FORMAT, layout: await layoutOf(session) });
    const counts: Record<string, number> = {};
    for (const table of BACKUP_TABLES) {
      counts[table] = 0;
      await session.run(
        `DECLARE backup_rows NO SCROLL CURSOR FOR SELECT to_json(t)::text AS row FROM ${table} t`,
      );
      for (;;) {
        const rows = await session.query(`FETCH ${ROWS_AT_ONCE} FROM backup_rows`);
        for (const { row } of rows) line([table, JSON.parse(String(row))]);
        counts[table] += rows.length;
        if (rows.length < ROWS_AT_ONCE) break;
      }
      await session.run("CLOSE backup_rows");
    }
    line({ rows: counts });
    fsyncSync(handle);
    closeSync(handle);
    return counts;
  } catch (error) {
    closeSync(handle);
    rmSync(file, { force: true });
    throw error;
  }
}

/** The rows of a backup, in its order. Rejects with a StoreError for a file that is none, is cut, or is of another layout. */
export async function* readBackup(file: string, layout: string): AsyncGenerator<[BackupTable, PgRow]> {
  const counts: Record<string, number> = {};
  let head = false;
  let complete = false;
  for await (const text of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const value = parsed(text);
    if (!head) {
      if (field(value, "format") !== FORMAT) throw unusable(file, "it is no backup of a PostgreSQL store");
      if (field(value, "layout") !== layout)
        throw unusable(file, "it was made by a version of remem with another layout");
      head = true;
    } else if (Array.isArray(value) && isTable(value[0])) {
      counts[value[0]] = (counts[value[0]] ?? 0) + 1;
      yield [value[0], value[1] as PgRow];
    } else {
      const rows = field(value, "rows") as RowCounts | undefined;
      complete =
        rows !== undefined && BACKUP_TABLES.every((table) => (rows[table] ?? 0) === (counts[table] ?? 0));
      if (!complete) throw unusable(file, "it is damaged");
    }
  }
  if (!complete) throw unusable(file, "its end is missing");
}

/** Which layout a store has, as one text. */
export async function layoutOf(session: PgSession): Promise<string> {
  const rows = await session.query("SELECT id, checksum FROM migrations ORDER BY id");
  return rows.map(({ id, checksum }) => `${String(id)}:${String(checksum)}`).join(" ");
}

function create(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new StoreError(
      "unavailable",
      exists ? `${file} exists already` : `${file} cannot be written`,
      exists ? "name a file that does not exist" : "name a folder that you can write to",
      error,
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function isTable(value: unknown): value is BackupTable {
  return BACKUP_TABLES.includes(value as BackupTable);
}

function unusable(file: string, why: string): StoreError {
  return new StoreError(
    "corrupt",
    `${file} cannot be restored: ${why}`,
    "nothing was changed; name another backup",
  );
}
