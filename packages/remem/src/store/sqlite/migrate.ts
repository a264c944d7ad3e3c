import { StoreError } from "../../core/errors.ts";
import { INDEX_VERSION } from "../../core/text/index-terms.ts";
import { type AppliedMigration, migrationChecksum, verifyApplied } from "../shared/migration.ts";
import { randomBytes } from "../shared/sha256.ts";
import { copyBeforeTable } from "./backup/copy-database.ts";
import type { SqlConnection } from "./driver.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { inTransaction } from "./transaction.ts";

const BASE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  sessions: ["id", "session_id", "project", "started_at", "status"],
  observations: ["id", "session_id", "project", "title", "type", "text", "source_files", "created_at"],
  session_summaries: ["id", "session_id", "project", "created_at"],
};

/**
 * Brings a database to this version's layout, a transaction for all steps; many processes may try at once. A database
 * that has tables already but none of ours is copied to `backupPath` first. Throws a StoreError for a newer layout, a
 * changed step and foreign tables of the same names.
 */
export function migrate(connection: SqlConnection, backupPath: (() => string) | undefined): void {
  const before = applied(connection);
  if (before.length === MIGRATIONS.length) {
    verifyApplied(before, MIGRATIONS);
    return;
  }
  if (before.length === 0 && backupPath !== undefined && hasTables(connection))
    copyBeforeTable(connection, backupPath(), "remem_migrations");
  inTransaction(connection, () => {
    const known = applied(connection);
    verifyApplied(known, MIGRATIONS);
    refuseForeignTables(connection);
    connection.run(
      "CREATE TABLE IF NOT EXISTS remem_migrations(id INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)",
    );
    for (const migration of MIGRATIONS.slice(known.length)) {
      connection.run(migration.sql);
      connection
        .prepare("INSERT INTO remem_migrations(id, name, checksum) VALUES(?, ?, ?)")
        .run(migration.id, migration.name, migrationChecksum(migration));
    }
    connection
      .prepare(
        `INSERT OR IGNORE INTO memory_statistics(id, memories, terms, sessions, erasures, index_version, content_salt)
         VALUES(1, 0, 0, 0, 0, ?, ?)`,
      )
      .run(INDEX_VERSION, randomBytes(32));
  });
}

function applied(connection: SqlConnection): AppliedMigration[] {
  if (!tableExists(connection, "remem_migrations")) return [];
  return connection
    .prepare("SELECT id, name, checksum FROM remem_migrations ORDER BY id")
    .all()
    .map((row) => ({ id: Number(row["id"]), name: String(row["name"]), checksum: String(row["checksum"]) }));
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
        "name another file for the memory store and import this one into it; it was not changed",
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
