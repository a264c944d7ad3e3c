import { randomBytes } from "node:crypto";
import type { Clock } from "../../core/ports/clock.ts";
import type { StatefulStore } from "../../core/ports/engine-state.ts";
import type { PgDatabase } from "./database.ts";
import { addVectorColumn, isMigrated, migrate, vectorColumn } from "./migrate.ts";
import { connectPg } from "./pg-database.ts";
import { pgError } from "./pg-error.ts";
import { PostgresStore } from "./postgres-store.ts";
import { Transactions } from "./transactions.ts";

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/name`. It never appears in an error. */
  readonly url: string;
  readonly clock: Clock;
  readonly newId?: () => string;
  /** Default `remem`. */
  readonly schema?: string;
  /** In milliseconds; default 10,000 for a statement, 5,000 for a connection and for another program's write. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
}

const CONNECT_MS = 5_000;

/** Opens a store in PostgreSQL (14 or newer), making its tables or bringing them up to date. Rejects with a StoreError. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<StatefulStore> {
  let database: PgDatabase;
  try {
    database = await connectPg({
      url: options.url,
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_MS,
    });
  } catch (error) {
    throw pgError(error);
  }
  return await openStoreIn(database, options);
}

/** The same on a database that is connected already; closing the store closes it. */
export async function openStoreIn(
  database: PgDatabase,
  options: Omit<PostgresStoreOptions, "url" | "connectTimeoutMs">,
): Promise<StatefulStore> {
  const { clock, schema = "remem" } = options;
  try {
    const transactions = new Transactions({
      database,
      schema,
      statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
      lockTimeoutMs: options.lockTimeoutMs ?? 5_000,
    });
    if (!(await transactions.read((session) => isMigrated(session, schema))))
      await transactions.write((session) => migrate(session, schema));
    const column = await transactions.read(vectorColumn);
    if (column === "to add") await transactions.write(addVectorColumn);
    return new PostgresStore({
      transactions,
      vectorType: column !== "none",
      now: () => clock.now(),
      newId: options.newId ?? (() => `m${randomBytes(12).toString("hex")}`),
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}
