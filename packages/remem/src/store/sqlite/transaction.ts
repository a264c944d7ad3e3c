import { StoreError } from "../../core/errors.ts";
import type { SqlConnection } from "./driver.ts";

/** Runs `work` in a transaction that holds the write lock from its start: reading first and locking later is what loses writes. */
export function inTransaction<T>(connection: SqlConnection, work: () => T): T {
  try {
    connection.run("BEGIN IMMEDIATE");
  } catch (error) {
    throw storeError(error);
  }
  try {
    const result = work();
    connection.run("COMMIT");
    return result;
  } catch (error) {
    try {
      connection.run("ROLLBACK");
    } catch {
      // SQLite rolled back by itself (a full disk does that); the first error is the one that tells.
    }
    throw storeError(error);
  }
}

/** An error of SQLite as one of ours; StoreErrors and errors of programming come back as they are. */
export function storeError(error: unknown): unknown {
  if (StoreError.is(error) || !(error instanceof Error)) return error;
  const text = error.message;
  if (/database is locked|SQLITE_BUSY|database table is locked/i.test(text))
    return new StoreError("busy", "another program held the memory store for too long", "try again", error);
  if (/malformed|not a database|SQLITE_CORRUPT|SQLITE_NOTADB/i.test(text))
    return new StoreError(
      "corrupt",
      "the memory store is damaged or no database",
      "run remem doctor; restore a backup or set the file aside",
      error,
    );
  if (/disk is full|SQLITE_FULL|ENOSPC/i.test(text))
    return new StoreError(
      "full",
      "no space is left for the memory store",
      "free some space on its disk",
      error,
    );
  if (/readonly|read-only|SQLITE_READONLY/i.test(text))
    return new StoreError(
      "read_only",
      "the memory store cannot be written",
      "check its owner and its permissions",
      error,
    );
  if (/unable to open|SQLITE_CANTOPEN/i.test(text))
    return new StoreError(
      "unavailable",
      "the memory store cannot be opened",
      "check that its folder exists",
      error,
    );
  return error;
}
