import { randomBytes } from "node:crypto";
import { INDEX_VERSION } from "../../core/text/index-terms.ts";
import {
  type AppliedMigration,
  type Migration,
  migrationChecksum,
  verifyApplied,
} from "../shared/migration.ts";
import type { PgSession } from "./database.ts";
import { TABLES } from "./migrations/0001-tables.ts";

const MIGRATIONS: readonly Migration[] = [TABLES];

/** Whether a schema has this version's layout. Throws a StoreError for one that this version does not know. */
export async function isMigrated(session: PgSession, schema: string): Promise<boolean> {
  const known = await applied(session, schema);
  verifyApplied(known, MIGRATIONS);
  return known.length === MIGRATIONS.length;
}

/** Brings a schema to this version's layout. Call it in a transaction that holds the store's lock: many programs may try at once. */
export async function migrate(session: PgSession, schema: string): Promise<void> {
  const [found] = await session.query("SELECT to_regnamespace($1) IS NOT NULL AS made", [`"${schema}"`]);
  // Whoever may not make schemas can have it made.
  if (found?.["made"] !== true) await session.run(`CREATE SCHEMA "${schema}"`);
  await session.run(
    `CREATE TABLE IF NOT EXISTS "${schema}".migrations(id integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL)`,
  );
  const known = await applied(session, schema);
  verifyApplied(known, MIGRATIONS);
  for (const migration of MIGRATIONS.slice(known.length)) {
    await session.run(migration.sql);
    await session.query("INSERT INTO migrations(id, name, checksum) VALUES($1, $2, $3)", [
      migration.id,
      migration.name,
      migrationChecksum(migration),
    ]);
  }
  await session.query(
    `INSERT INTO statistics(id, memories, terms, sessions, erasures, index_version, content_salt)
     VALUES(1, 0, 0, 0, 0, $1, $2) ON CONFLICT DO NOTHING`,
    [INDEX_VERSION, randomBytes(32)],
  );
}

/**
 * Adds a column of pgvector's type to the vectors where that extension is, so that people can compare memories in SQL, too. The engine itself
 * compares in memory and needs no extension.
 */
export async function addVectorColumn(session: PgSession): Promise<void> {
  const schema = await vectorSchema(session);
  if (schema !== undefined)
    await session.run(`ALTER TABLE memory_vectors ADD COLUMN IF NOT EXISTS embedding "${schema}".vector`);
}

/** Whether the column of pgvector's type is there, is to be added, or cannot be there. */
export async function vectorColumn(session: PgSession): Promise<"there" | "to add" | "none"> {
  if ((await vectorSchema(session)) === undefined) return "none";
  const [column] = await session.query(
    "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('memory_vectors') AND attname = 'embedding' AND NOT attisdropped",
  );
  return column === undefined ? "to add" : "there";
}

async function vectorSchema(session: PgSession): Promise<string | undefined> {
  const [extension] = await session.query(
    "SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'",
  );
  return extension === undefined ? undefined : String(extension["schema"]);
}

async function applied(session: PgSession, schema: string): Promise<AppliedMigration[]> {
  const [table] = await session.query("SELECT to_regclass($1) IS NOT NULL AS made", [
    `"${schema}".migrations`,
  ]);
  if (table?.["made"] !== true) return [];
  const rows = await session.query(`SELECT id, name, checksum FROM "${schema}".migrations ORDER BY id`);
  return rows.map((row) => ({
    id: Number(row["id"]),
    name: String(row["name"]),
    checksum: String(row["checksum"]),
  }));
}
