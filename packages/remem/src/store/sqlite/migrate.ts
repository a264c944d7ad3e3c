import { createHash, randomBytes } from "node:crypto";
import { StoreError } from "../../core/errors.ts";
import { INDEX_VERSION } from "../../core/text/index-terms.ts";
import type { SqlConnection } from "./driver.ts";
import type { Migration } from "./migrations/migration.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { inTransaction } from "./transaction.ts";

const BASE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  sessions: ["id", "session_id", "project", "started_at", "status"],
  observations: ["id", "session_id", "project", "title", "type", "text", "source_files", "created_at"],
  session_summaries: ["id", "session_id", "project", "created_at"],
};

const checksum = (migration: Migration): string => createHash("sha256").update(migration.sql).digest("hex");

/**
 * Brings a database to this version's layout, a transaction for all steps; many processes may try at once. A database
 * that has tables already but none of ours is copied to `backupPath` first. Throws a StoreError for a newer layout, a
 * changed step and foreign tables of the same names.
 */
export function migrate(connection: SqlConnection, backupPath: (() => string) | undefined): void {
  const before = applied(connection);
  if (before.length === MIGRATIONS.length) {
    verify(before);
    return;
  }
  if (before.length === 0 && backupPath !== undefined && hasTables(connection))
    connection.prepare("VACUUM INTO ?").run(backupPath());
  inTransaction(connection, () => {
    const known = applied(connection);
    verify(known);
    refuseForeignTables(connection);
    connection.run(
      "CREATE TABLE IF NOT EXISTS remem_migrations(id INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)",
    );
    for (const migration of MIGRATIONS.slice(known.length)) {
      connection.run(migration.sql);
      connection
        .prepare("INSERT INTO remem_migrations(id, name, checksum) VALUES(?, ?, ?)")
        .run(migration.id, migration.name, checksum(migration));
    }
    connection
      .prepare(
        `INSERT OR IGNORE INTO memory_statistics(id, memories, terms, sessions, erasures, index_version, content_salt)
         VALUES(1, 0, 0, 0, 0, ?, ?)`,
      )
      .run(INDEX_VERSION, randomBytes(32));
  });
}

interface Applied {
  readonly id: number;
  readonly name: string;
  readonly checksum: string;
}

function applied(connection: SqlConnection): Applied[] {
  if (!tableExists(connection, "remem_migrations")) return [];
  return connection
    .prepare("SELECT id, name, checksum FROM remem_migrations ORDER BY id")
    .all()
    .map((row) => ({ id: Number(row["id"]), name: String(row["name"]), checksum: String(row["checksum"]) }));
}

function verify(known: readonly Applied[]): void {
  for (const [index, step] of known.entries()) {
    const ours = MIGRATIONS[index];
    if (ours === undefined)
      throw new StoreError(
        "newer_version",
        `the memory store has layout ${known.length} and this version knows ${MIGRATIONS.length}`,
        "use the newer version that wrote it; nothing was changed",
      );
    if (step.id !== ours.id || step.checksum !== checksum(ours))
      throw new StoreError(
        "changed_migration",
        `step ${step.id} (${step.name}) of the memory store's layout is not the one this version knows`,
        "restore a backup, or use the version that wrote the store; nothing was changed",
      );
  }
}

function refuseForeignTables(connection: SqlConnection): void {
  for (const [table, columns] of Object.entries(BASE_COLUMNS)) {
    if (!tableExists(connection, table)) continue;
    const found = new Set(
      connection
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map((row) => String(row["name"])),
    );
    const missing = columns.filter((column) => !found.has(column));
    if (missing.length > 0)
      throw new StoreError(
        "foreign_layout",
        `the table "${table}" of this database is another program's: it lacks ${missing.join(", ")}`,
        "name another file for the memory store; this one was not changed",
      );
  }
}

function tableExists(connection: SqlConnection, name: string): boolean {
  return (
    connection.prepare("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !==
    undefined
  );
}

function hasTables(connection: SqlConnection): boolean {
  return (
    connection.prepare("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' LIMIT 1").get() !==
    undefined
  );
}
