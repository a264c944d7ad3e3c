/** The index's file: SQLite with full-text search. It is a cache: a broken one, or one of another version, is made anew. */
import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";

/** Changes with the tables and with what goes into them. */
const VERSION = 1;

const TABLES = `
  CREATE TABLE sessions(key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, inode TEXT NOT NULL, indexed INTEGER NOT NULL, mark TEXT NOT NULL);
  CREATE TABLE chunks(key INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL);
  CREATE INDEX chunks_of_session ON chunks(session);
  PRAGMA user_version = ${VERSION};
`;

/** `deletes`: words can be taken out; the SQLite of an older macOS cannot, and their places then lead nowhere. */
const wordsTable = (deletes: string): string =>
  `CREATE VIRTUAL TABLE words USING fts5(text, content='', ${deletes} tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'")`;

/** Opens the index, and makes it where it is missing, broken or of another version. Throws when the disk refuses even that. */
export function openSearchDatabase(path: string): Database {
  ensurePrivateFolder(dirname(path));
  try {
    return attach(path);
  } catch (thrown) {
    if (isBusy(thrown)) throw thrown;
    removeSearchDatabase(path);
    return attach(path);
  }
}

/** True for an error that another try later may not meet. */
export function isBusy(thrown: unknown): boolean {
  return String((thrown as { code?: unknown } | null)?.code).startsWith("SQLITE_BUSY");
}

/** Deletes the index with its side files. */
export function removeSearchDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { recursive: true, force: true });
}

function attach(path: string): Database {
  const database = new Database(path, { create: true });
  try {
    database.run("PRAGMA busy_timeout = 2000");
    database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = NORMAL");
    if (versionOf(database) !== VERSION) create(database);
    database.query("SELECT key FROM sessions LIMIT 1").get();
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function create(database: Database): void {
  database.run("BEGIN IMMEDIATE");
  // Another process may have made the tables while we waited.
  const version = versionOf(database);
  if (version === 0) {
    try {
      database.run(wordsTable("contentless_delete=1,"));
    } catch {
      database.run(wordsTable(""));
    }
    for (const statement of TABLES.split(/;\s*\n/)) if (statement.trim() !== "") database.run(statement);
  }
  database.run("COMMIT");
  if (version !== 0 && version !== VERSION) throw new Error(`the index has version ${version}`);
}

function versionOf(database: Database): number {
  return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}
