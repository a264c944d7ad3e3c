import { existsSync } from "node:fs";
import { StoreError } from "../../../core/errors.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { openConnection } from "../driver.ts";
import { storeError } from "../transaction.ts";
import { copyDatabase } from "./copy-database.ts";
import { keptName } from "./kept-file.ts";

export interface BackupOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Where to; default: beside the store, with the date in its name. */
  readonly to?: string;
}

/** A consistent copy of a store, made while others use it, readable by its owner only and checked. Gives its file. Rejects with a StoreError. */
export async function backupSqliteStore({ path, clock, to }: BackupOptions): Promise<string> {
  if (!existsSync(path))
    throw new StoreError(
      "unavailable",
      `there is no memory store at ${path}`,
      "check the path; nothing was copied",
    );
  if (to !== undefined && existsSync(to))
    throw new StoreError("unavailable", `${to} exists already`, "name a file that does not exist");
  const connection = await openConnection(path);
  try {
    connection.run("PRAGMA busy_timeout = 5000");
    return copyDatabase(connection, to ?? keptName(path, "bak", clock.now()));
  } catch (error) {
    throw storeError(error);
  } finally {
    connection.close();
  }
}
