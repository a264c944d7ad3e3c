import type { PgDatabase, PgSession } from "./database.ts";
import { pgError } from "./pg-error.ts";

export interface TransactionOptions {
  readonly database: PgDatabase;
  /** Where the store's tables are; letters, digits and underscores. */
  readonly schema: string;
  /** How long a statement may take, and how long one waits for another program's write; in milliseconds. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/** The class of this program's advisory locks; the schema's name is the other half of the number. */
const LOCK_CLASS = 0x72656d;

/** Transactions on a store: reads see one moment, writes come one after the other, as in every other store. Reject with StoreErrors. */
export class Transactions {
  readonly schema: string;
  readonly #database: PgDatabase;
  readonly #begin: string;

  constructor({ database, schema, statementTimeoutMs, lockTimeoutMs }: TransactionOptions) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
      throw new RangeError(`"${schema}" is no name for a schema: use small letters, digits and underscores`);
    this.schema = schema;
    this.#database = database;
    // Compiling a statement takes longer than any of them takes.
    this.#begin = `SET LOCAL search_path = "${schema}", pg_catalog, public; SET LOCAL jit = off;
      SET LOCAL statement_timeout = ${Math.trunc(statementTimeoutMs)}; SET LOCAL lock_timeout = ${Math.trunc(lockTimeoutMs)}`;
  }

  read<T>(work: (session: PgSession) => Promise<T>): Promise<T> {
    return this.#run(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; ${this.#begin}`, work);
  }

  /** Holds the store's lock to the end: what is settled between statements must not change meanwhile. */
  write<T>(work: (session: PgSession) => Promise<T>): Promise<T> {
    return this.#run(this.#begin, async (session) => {
      await session.query("SELECT pg_advisory_xact_lock($1::int, hashtext($2))", [LOCK_CLASS, this.schema]);
      return await work(session);
    });
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #run<T>(begin: string, work: (session: PgSession) => Promise<T>): Promise<T> {
    try {
      return await this.#database.transaction(begin, work);
    } catch (error) {
      throw pgError(error);
    }
  }
}
