import { existsSync } from "node:fs";
import { StoreError } from "../../../core/errors.ts";
import type { MemoryScope } from "../../../core/memory/scope.ts";
import type { TransferItem, TransferSource } from "../../../core/memory/transfer-item.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { openForReading, type SqlConnection, type SqlRow } from "../driver.ts";
import { storeError } from "../transaction.ts";
import {
  type ForeignContext,
  type RowReader,
  readObservation,
  readPrompt,
  readSummary,
} from "./foreign-rows.ts";

export interface ForeignDatabaseOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Which scope the rows of one of its projects get; default: a project of the same name, and `global` without one. */
  readonly scopeOf?: (project: string) => MemoryScope;
}

const ROWS_AT_ONCE = 500;
/** Tables that are read, in this order, so that what was erased is known before the summaries come. */
const TABLES: readonly { readonly name: string; readonly read: RowReader }[] = [
  { name: "user_prompts", read: readPrompt },
  { name: "observations", read: readObservation },
  { name: "session_summaries", read: readSummary },
];

/** The rows of a claude-mem or pi-go database, which is only read. Rejects with a StoreError for what is no such database. */
export async function* readForeignDatabase(options: ForeignDatabaseOptions): TransferSource {
  const { path, clock } = options;
  if (!existsSync(path))
    throw new StoreError("unavailable", `there is no database at ${path}`, "check the path");
  const connection = await openForReading(path);
  try {
    const context: ForeignContext = {
      host: hostOf(connection, path),
      scopeOf:
        options.scopeOf ??
        ((project) => (project === "" ? { kind: "global" } : { kind: "project", id: project })),
      now: clock.now(),
    };
    for (const { name, read } of TABLES)
      if (columns(connection, name).size > 0) yield* readTable(connection, name, read, context);
  } catch (error) {
    throw storeError(error);
  } finally {
    connection.close();
  }
}

/** Which program wrote it. */
function hostOf(connection: SqlConnection, path: string): string {
  if (columns(connection, "remem_migrations").size > 0)
    throw new StoreError(
      "foreign_layout",
      `${path} is a memory store of this engine`,
      "open it as a store, or restore it as a backup",
    );
  const found = columns(connection, "observations");
  if (found.has("narrative") || found.has("memory_session_id") || found.has("sdk_session_id"))
    return "claude-mem";
  if (found.has("session_id") && found.has("text")) return "pi-go";
  throw new StoreError(
    "foreign_layout",
    `${path} has no table of observations that is known`,
    "import databases of claude-mem or pi-go, JSON Lines or a folder of notes",
  );
}

function columns(connection: SqlConnection, table: string): ReadonlySet<string> {
  return new Set(
    connection
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map((row) => String(row["name"])),
  );
}

function* readTable(
  connection: SqlConnection,
  table: string,
  read: RowReader,
  context: ForeignContext,
): Generator<TransferItem> {
  const known = columns(connection, table);
  // Prompts know their project by their session only.
  const session = known.has("content_session_id") ? "content_session_id" : "claude_session_id";
  const project =
    !known.has("project") && columns(connection, "sdk_sessions").has(session)
      ? `, (SELECT s.project FROM sdk_sessions s WHERE s.${session} = t.${session} LIMIT 1) AS project`
      : "";
  const part = connection.prepare(
    `SELECT t.*, t.rowid AS row${project} FROM ${table} t WHERE t.rowid > ? ORDER BY t.rowid LIMIT ${ROWS_AT_ONCE}`,
  );
  for (let after = 0; ; ) {
    let rows: SqlRow[];
    try {
      rows = part.all(after);
    } catch {
      yield { type: "broken", where: `${table} after ${after}`, reason: "the database is damaged there" };
      return;
    }
    for (const row of rows) yield read({ ...row, id: row["row"]! }, context);
    if (rows.length < ROWS_AT_ONCE) return;
    after = Number(rows.at(-1)?.["row"]);
  }
}
