import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { randomBytes } from "../shared/sha256.ts";
import { keptName } from "./backup/kept-file.ts";
import { openConnection, type SqlConnection } from "./driver.ts";
import type { Schedule } from "./idle-checkpoint.ts";
import { migrate } from "./migrate.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { storeError } from "./transaction.ts";

export interface SqliteStoreOptions {
  /** The database file, or `:memory:`. Its folder is made when missing, readable by the user only. */
  readonly path: string;
  readonly clock: Clock;
  /** Ids of new memories; default: time and chance, 18 letters and digits. */
  readonly newId?: () => string;
  /** How long to wait for another program's write, in milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** When work is done that nobody waits for; default: after a moment, without keeping the program alive. */
  readonly schedule?: Schedule;
}

const MEMORY = ":memory:";
const RETRY_MS = 10;
const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
/** Kilobytes of pages that a connection keeps. */
const CACHE_KIB = 8_192;
/** A write carries the log over by itself only when it is this long: nothing was quiet for hundreds of writes. */
const LONGEST_LOG_PAGES = 4_000;

/** Opens a store, making or bringing it up to date. Rejects with a StoreError. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { path, clock } = options;
  let connection: SqlConnection | undefined;
  try {
    if (path !== MEMORY) createFile(path);
    connection = await connect(path, options.busyTimeoutMs ?? 5_000);
    configure(connection);
    migrate(connection, path === MEMORY ? undefined : () => keptName(path, "bak", clock.now()));
    const context = {
      connection,
      now: () => clock.now(),
      newId: options.newId ?? (() => defaultId(clock.now())),
    };
    const store = new SqliteStore(context, options.schedule);
    store.adopt();
    return store;
  } catch (error) {
    connection?.close();
    throw storeError(error, path);
  }
}

function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_FOLDER });
  closeSync(openSync(path, "a", OWNER_FILE));
}

/**
 * A connection with the write-ahead log on. Where the disk cannot share memory between programs (some network drives), the store works without
 * it: writers then wait for readers.
 */
async function connect(path: string, busyTimeoutMs: number): Promise<SqlConnection> {
  try {
    return await connectWith(path, busyTimeoutMs, useLog);
  } catch (error) {
    const known = storeError(error);
    if (!StoreError.is(known) || (known.code !== "unavailable" && known.code !== "read_only")) throw known;
    try {
      return await connectWith(path, busyTimeoutMs, useNoLog);
    } catch {
      throw known;
    }
  }
}

async function connectWith(
  path: string,
  busyTimeoutMs: number,
  prepare: (connection: SqlConnection) => void,
): Promise<SqlConnection> {
  const connection = await openConnection(path);
  try {
    connection.run(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
    // Two programs that open a new file at the same moment get in each other's way whatever the busy timeout is.
    for (let waited = 0; ; waited += RETRY_MS) {
      try {
        prepare(connection);
        return connection;
      } catch (error) {
        const known = storeError(error);
        if (!StoreError.is(known) || known.code !== "busy" || waited >= busyTimeoutMs) throw known;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  } catch (error) {
    connection.close();
    throw error;
  }
}

function useLog(connection: SqlConnection): void {
  const mode = (): unknown => connection.prepare("PRAGMA journal_mode").get()?.["journal_mode"];
  if (mode() !== "wal") {
    connection.prepare("PRAGMA journal_mode = WAL").get();
    // The mode is accepted before anybody looks whether it works.
    if (mode() === "wal") connection.run("BEGIN IMMEDIATE; ROLLBACK");
  }
  connection.run("PRAGMA synchronous = NORMAL");
}

function useNoLog(connection: SqlConnection): void {
  // Who is alone needs no shared memory to leave the log.
  connection.prepare("PRAGMA locking_mode = EXCLUSIVE").get();
  connection.prepare("PRAGMA journal_mode = TRUNCATE").get();
  connection.prepare("PRAGMA locking_mode = NORMAL").get();
  connection.run("PRAGMA synchronous = FULL; BEGIN IMMEDIATE; ROLLBACK");
}

function configure(connection: SqlConnection): void {
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA secure_delete = ON");
  connection.run("PRAGMA journal_size_limit = 4194304");
  connection.run(`PRAGMA wal_autocheckpoint = ${LONGEST_LOG_PAGES}`);
  connection.run(`PRAGMA cache_size = -${CACHE_KIB}`);
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function defaultId(now: number): string {
  const time = Math.trunc(now).toString(36).padStart(9, "0");
  return `m${time}${[...randomBytes(8)].map((byte) => ALPHABET[byte & 31]).join("")}`;
}
