import { PGlite, type Transaction } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import type { PgDatabase, PgRow, PgSession, PgValue } from "../database.ts";

/** A fresh PostgreSQL with pgvector inside this process. */
export async function startPglite(): Promise<PGlite> {
  const pglite = await PGlite.create({ extensions: { vector } });
  await pglite.exec("CREATE EXTENSION vector");
  return pglite;
}

/** One PGlite as a database; closing leaves it open, so that stores in schemas of their own may share it. */
export function pgliteDatabase(pglite: PGlite): PgDatabase {
  return {
    transaction: (begin, work) =>
      pglite.transaction(async (transaction) => {
        await transaction.exec(begin);
        return work(sessionOf(transaction));
      }),
    close: async () => undefined,
  };
}

function sessionOf(transaction: Transaction): PgSession {
  const send = (sql: string, values: readonly PgValue[] = []) => transaction.query<PgRow>(sql, [...values]);
  return {
    query: async (sql, values) => (await send(sql, values)).rows,
    change: async (sql, values) => (await send(sql, values)).affectedRows ?? 0,
    run: async (sql) => {
      await transaction.exec(sql);
    },
  };
}
