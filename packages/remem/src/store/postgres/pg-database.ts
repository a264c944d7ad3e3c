import type { Pool, PoolClient } from "pg";
import type { PgDatabase, PgRow, PgSession, PgValue } from "./database.ts";

export interface PgAddress {
  /** `postgres://user:password@host:port/name`; it never appears in an error. */
  readonly url: string;
  readonly connectTimeoutMs: number;
}

const CONNECTIONS = 4;
/** Connections that are not used are given back, so that many programs may be open at once. */
const IDLE_MS = 10_000;

/** A database behind `pg`, which is loaded here. It connects at the first transaction. */
export async function connectPg({ url, connectTimeoutMs }: PgAddress): Promise<PgDatabase> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: connectTimeoutMs,
    allowExitOnIdle: true,
    application_name: "remem",
  });
  // A server that goes away while nobody asks is noticed by the next transaction.
  pool.on("error", () => undefined);
  return {
    transaction: (begin, work) => inTransaction(pool, begin, work),
    close: () => pool.end(),
  };
}

async function inTransaction<T>(
  pool: Pool,
  begin: string,
  work: (session: PgSession) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(`BEGIN; ${begin}`);
    const result = await work(sessionOf(client));
    await client.query("COMMIT");
    return result;
  } catch (error) {
    try {
      await client.query("ROLLBACK");
    } catch (failure) {
      broken = failure as Error;
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

function sessionOf(client: PoolClient): PgSession {
  const send = (sql: string, values: readonly PgValue[] = []) => client.query(sql, values.map(toPg));
  return {
    query: async (sql, values) => (await send(sql, values)).rows as PgRow[],
    change: async (sql, values) => (await send(sql, values)).rowCount ?? 0,
    run: async (sql) => {
      await client.query(sql);
    },
  };
}

function toPg(value: PgValue): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}
