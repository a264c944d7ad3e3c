import type { PgDatabase, PgRow, PgSession, PgValue } from "../database.ts";
import { connectPg } from "../pg-database.ts";
import { pgError } from "../pg-error.ts";
import { Transactions } from "../transactions.ts";
import {
  BACKUP_TABLES,
  type BackupTable,
  layoutOf,
  type RowCounts,
  readBackup,
  writeBackup,
} from "./backup-file.ts";

export interface PostgresPlace {
  readonly url: string;
  /** Default `remem`. */
  readonly schema?: string;
}

const CONNECT_MS = 5_000;
/** Copying a whole store takes what it takes. */
const STATEMENT_MS = 600_000;
const ROWS_AT_ONCE = 500;

/** Writes a backup of one moment of a store to a new file, while others use it. Rejects with a StoreError. */
export async function backupPostgresStore(place: PostgresPlace, to: string): Promise<RowCounts> {
  return connected(place, (database) => backupIn(database, place.schema, to));
}

/**
 * Puts a backup in a store's place, in one transaction; what is there now goes to the file `kept` first. The whole file is checked before
 * anything changes. Rejects with a StoreError, and nothing has changed then.
 */
export async function restorePostgresStore(
  place: PostgresPlace,
  { from, kept }: { readonly from: string; readonly kept: string },
): Promise<void> {
  await connected(place, (database) => restoreIn(database, place.schema, { from, kept }));
}

/** The same as {@link backupPostgresStore} on a database that is connected. */
export function backupIn(database: PgDatabase, schema: string | undefined, to: string): Promise<RowCounts> {
  return transactionsOf(database, schema).read((session) => writeBackup(session, to));
}

/** The same as {@link restorePostgresStore} on a database that is connected. */
export async function restoreIn(
  database: PgDatabase,
  schema: string | undefined,
  { from, kept }: { readonly from: string; readonly kept: string },
): Promise<void> {
  await transactionsOf(database, schema).write(async (session) => {
    const layout = await layoutOf(session);
    for await (const _ of readBackup(from, layout));
    await writeBackup(session, kept);
    const [before] = await session.query("SELECT erasures FROM statistics");
    await session.run(`TRUNCATE ${BACKUP_TABLES.join(", ")} RESTART IDENTITY`);
    const successors = await insertAll(session, from, layout);
    await session.change(
      `UPDATE memories m SET superseded_by = s.successor
       FROM unnest($1::bigint[], $2::bigint[]) AS s(id, successor) WHERE m.id = s.id`,
      [successors.map(([id]) => id), successors.map(([, successor]) => successor)],
    );
    await setIdentities(session);
    // Programs that have rows in memory read all of them anew.
    await session.change("UPDATE statistics SET erasures = greatest(erasures, $1::bigint) + 1", [
      Number(before?.["erasures"] ?? 0),
    ]);
  });
}

/** Gives which memories were superseded by which: a successor may come later in the file than what it replaced. */
async function insertAll(session: PgSession, from: string, layout: string): Promise<[number, number][]> {
  const successors: [number, number][] = [];
  let table: BackupTable | undefined;
  let rows: PgRow[] = [];
  const flush = async () => {
    if (table === undefined || rows.length === 0) return;
    await session.change(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [JSON.stringify(rows) as PgValue],
    );
    rows = [];
  };
  for await (const [next, row] of readBackup(from, layout)) {
    if (next !== table || rows.length >= ROWS_AT_ONCE) await flush();
    table = next;
    if (next === "memories" && row["superseded_by"] !== null) {
      successors.push([Number(row["id"]), Number(row["superseded_by"])]);
      rows.push({ ...row, superseded_by: null });
    } else rows.push(row);
  }
  await flush();
  return successors;
}

/** New rows get numbers behind those that came back. */
async function setIdentities(session: PgSession): Promise<void> {
  const columns = await session.query(
    `SELECT table_name AS "table" FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES'`,
  );
  for (const { table } of columns)
    await session.query(
      `SELECT setval(pg_get_serial_sequence($1, 'id'), (SELECT coalesce(max(id), 0) + 1 FROM ${String(table)}), false)`,
      [String(table)],
    );
}

function transactionsOf(database: PgDatabase, schema = "remem"): Transactions {
  return new Transactions({
    database,
    schema,
    statementTimeoutMs: STATEMENT_MS,
    lockTimeoutMs: STATEMENT_MS,
  });
}

async function connected<T>({ url }: PostgresPlace, work: (database: PgDatabase) => Promise<T>): Promise<T> {
  let database: PgDatabase;
  try {
    database = await connectPg({ url, connectTimeoutMs: CONNECT_MS });
  } catch (error) {
    throw pgError(error);
  }
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
