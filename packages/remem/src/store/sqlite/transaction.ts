import { StoreError, type StoreErrorCode } from "../../core/errors.ts";
import type { SqlConnection } from "./driver.ts";

/** Runs `work` in a transaction that holds the write lock from its start: reading first and locking later is what loses writes. */
export function inTransaction<T>(connection: SqlConnection, work: () => T): T {
  return inside(connection, "BEGIN IMMEDIATE", work);
}

/** Runs `work`, which only reads, in a transaction: all its statements see one moment. Errors of SQLite come as ours. */
export function reading<T>(connection: SqlConnection, work: () => T): T {
  return inside(connection, "BEGIN", work);
}

/** Runs `work`, whose statements are each a transaction of its own; errors of SQLite come as ours. */
export function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error);
  }
}

/** An error of SQLite as one of ours, which names the file at `path`; StoreErrors and errors of programming come back as they are. */
export function storeError(error: unknown, path?: string): unknown {
  if (!(error instanceof Error)) return error;
  if (StoreError.is(error)) return path === undefined ? error : named(error, path);
  const known = KNOWN.find(({ pattern }) => pattern.test(error.message));
  if (known === undefined) return error;
  const ours = new StoreError(known.code, known.message, known.hint, error);
  return path === undefined ? ours : named(ours, path);
}

/** The same error with the store's place behind "the memory store", which is what a person can look at. */
function named(error: StoreError, path: string): StoreError {
  if (error.code === "busy" || error.message.includes(path)) return error;
  return new StoreError(
    error.code,
    error.message.replace(STORE, `${STORE} at ${path}`),
    error.hint,
    error.cause,
  );
}

const STORE = "the memory store";

/** What SQLite and the operating system say, in any runtime, and what it means for a person. The first match counts. */
const KNOWN: readonly {
  readonly pattern: RegExp;
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly hint: string;
}[] = [
  {
    pattern: /database is locked|SQLITE_BUSY|database table is locked/i,
    code: "busy",
    message: "another program held the memory store for too long",
    hint: "try again",
  },
  {
    pattern: /malformed|not a database|SQLITE_CORRUPT|SQLITE_NOTADB/i,
    code: "corrupt",
    message: "the memory store is damaged or no database",
    hint: "run remem doctor; restore a backup or set the file aside",
  },
  {
    pattern: /disk is full|SQLITE_FULL|ENOSPC|EDQUOT/i,
    code: "full",
    message: "no space is left for the memory store",
    hint: "free some space on its disk",
  },
  {
    pattern: /readonly|read-only|SQLITE_READONLY|EROFS|EACCES|EPERM/i,
    code: "read_only",
    message: "the memory store cannot be written",
    hint: "check the owner and the permissions of its file and folder",
  },
  {
    pattern: /unable to open|SQLITE_CANTOPEN|ENOTDIR|EISDIR|ENOENT|EEXIST|ENAMETOOLONG/i,
    code: "unavailable",
    message: "the memory store cannot be opened",
    hint: "check that its folder exists, and that a file can be there",
  },
  {
    pattern: /disk I\/O error|locking protocol|SQLITE_IOERR|SQLITE_PROTOCOL|EIO|ESTALE/i,
    code: "unavailable",
    message: "the disk of the memory store does not do what a database needs",
    hint: "put it on a local disk, not on a network drive",
  },
];

function inside<T>(connection: SqlConnection, begin: string, work: () => T): T {
  try {
    connection.run(begin);
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
