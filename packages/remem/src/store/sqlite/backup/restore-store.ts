import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { StoreError } from "../../../core/errors.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { checkStore } from "../check-store.ts";
import { openConnection, type SqlConnection } from "../driver.ts";
import { openSqliteStore } from "../open-store.ts";
import { changeStatistics } from "../statistics.ts";
import { inTransaction, storeError } from "../transaction.ts";
import { copyDatabase } from "./copy-database.ts";
import { keptName, newOwnFile } from "./kept-file.ts";
import { listKeptCopies } from "./list-kept.ts";
import { setAsideStore } from "./set-aside.ts";

export interface RestoreOptions {
  readonly path: string;
  readonly clock: Clock;
  /** The backup. It is read, never changed. */
  readonly from: string;
}

/**
 * Puts a backup in a store's place, after a copy of it was brought up to date and checked. Programs that have the store open see the restored
 * memories from then on. Gives where what was there before is kept; undefined when nothing was. Rejects with a StoreError, and then
 * nothing was changed.
 */
export async function restoreSqliteStore({ path, from, clock }: RestoreOptions): Promise<string | undefined> {
  const copy = await checkedCopy(path, from, clock);
  try {
    const current = existsSync(path) ? await openCurrent(path, clock) : undefined;
    if (current === undefined) {
      const aside = existsSync(path) ? setAsideStore(path, clock.now()) : undefined;
      renameSync(copy, path);
      return aside;
    }
    try {
      const kept = copyDatabase(current, keptName(path, "before-restore", clock.now()));
      replaceContent(current, copy);
      return kept;
    } finally {
      current.close();
    }
  } catch (error) {
    throw storeError(error);
  } finally {
    removeDatabase(copy);
  }
}

async function checkedCopy(path: string, from: string, clock: Clock): Promise<string> {
  if (!existsSync(from))
    throw new StoreError(
      "unavailable",
      `there is no backup at ${from}`,
      "check the path; nothing was changed",
    );
  const raw = newOwnFile(`${path}.restoring`);
  const copy = `${raw}-checked`;
  try {
    // The log of a store that was copied by hand belongs to it.
    copyFileSync(from, raw);
    if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${raw}-wal`);
    await (await openSqliteStore({ path: raw, clock })).close();
    const connection = await openConnection(raw);
    try {
      const problems = checkStore(connection);
      if (problems.length > 0)
        throw new StoreError(
          "corrupt",
          `the backup at ${from} is damaged: ${problems[0]}`,
          "take another backup; nothing was changed",
        );
      return copyDatabase(connection, copy);
    } finally {
      connection.close();
    }
  } catch (error) {
    const known = storeError(error);
    // The words for a store would send people to the store, which is well.
    if (StoreError.is(known) && known.code === "corrupt" && !known.message.includes(from))
      throw new StoreError(
        "corrupt",
        `the backup at ${from} is damaged or no database`,
        "take another backup; nothing was changed",
        known,
      );
    throw known;
  } finally {
    removeDatabase(raw);
    for (const { path: kept } of listKeptCopies(raw)) rmSync(kept);
  }
}

function removeDatabase(path: string): void {
  for (const part of ["", "-wal", "-shm"]) rmSync(`${path}${part}`, { force: true });
}

/** The store as it is, brought to this layout; undefined when it is damaged. */
async function openCurrent(path: string, clock: Clock): Promise<SqlConnection | undefined> {
  let connection: SqlConnection | undefined;
  try {
    await (await openSqliteStore({ path, clock })).close();
    connection = await openConnection(path);
    connection.run("PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON");
    if (checkStore(connection).length === 0) return connection;
  } catch (error) {
    const known = storeError(error);
    if (!StoreError.is(known) || known.code !== "corrupt") throw error;
  }
  connection?.close();
  return undefined;
}

/** Replaces every row of every table in one transaction, so that programs that have the store open go on with the new rows. */
function replaceContent(connection: SqlConnection, copy: string): void {
  connection.prepare("ATTACH ? AS restored").run(copy);
  try {
    inTransaction(connection, () => {
      connection.run("PRAGMA defer_foreign_keys = ON");
      const erasures = Number(
        connection.prepare("SELECT erasures AS n FROM main.memory_statistics").get()?.["n"],
      );
      connection.run("INSERT INTO memory_index(memory_index) VALUES('delete-all')");
      for (const table of ownTables(connection)) connection.run(`DELETE FROM main."${table}"`);
      for (const table of ownTables(connection))
        connection.run(`INSERT INTO main."${table}" SELECT * FROM restored."${table}"`);
      connection.run("INSERT INTO memory_index(memory_index) VALUES('rebuild')");
      changeStatistics(connection, { erasures: erasures + 1 });
    });
    connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    connection.run("DETACH restored");
  }
}

/** The tables that hold rows: not those of SQLite itself, and not the index, which is made from them. */
function ownTables(connection: SqlConnection): string[] {
  return connection
    .prepare(
      `SELECT name FROM restored.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT LIKE 'memory\\_index%' ESCAPE '\\' AND name NOT LIKE 'memory\\_vocabulary%' ESCAPE '\\'
       AND name IN (SELECT name FROM main.sqlite_master WHERE type = 'table')`,
    )
    .all()
    .map((row) => String(row["name"]));
}
