import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import type { MemoryStore } from "../../core/ports/memory-store.ts";
import { openConnection, type SqlConnection } from "./driver.ts";
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
}

const MEMORY = ":memory:";
const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
/** Kilobytes of pages that a connection keeps. */
const CACHE_KIB = 8_192;

/** Opens a store, making or bringing it up to date. Rejects with a StoreError. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<MemoryStore> {
  const { path, clock } = options;
  let connection: SqlConnection | undefined;
  try {
    if (path !== MEMORY) createFile(path);
    connection = await openConnection(path);
    configure(connection, options.busyTimeoutMs ?? 5_000);
    migrate(connection, path === MEMORY ? undefined : () => backupPath(path, clock.now()));
    const store = new SqliteStore({
      connection,
      now: () => clock.now(),
      newId: options.newId ?? (() => defaultId(clock.now())),
    });
    store.adopt();
    return store;
  } catch (error) {
    connection?.close();
    throw storeError(error);
  }
}

function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_FOLDER });
  closeSync(openSync(path, "a", OWNER_FILE));
}

function configure(connection: SqlConnection, busyTimeoutMs: number): void {
  connection.run(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
  connection.run("PRAGMA journal_mode = WAL");
  connection.run("PRAGMA synchronous = NORMAL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA secure_delete = ON");
  connection.run("PRAGMA journal_size_limit = 4194304");
  connection.run(`PRAGMA cache_size = -${CACHE_KIB}`);
}

function backupPath(path: string, now: number): string {
  return `${path}.bak-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function defaultId(now: number): string {
  const time = Math.trunc(now).toString(36).padStart(9, "0");
  return `m${time}${[...randomBytes(8)].map((byte) => ALPHABET[byte & 31]).join("")}`;
}
