import { openForReading } from "../store/sqlite/driver.ts";
import { storeError } from "../store/sqlite/transaction.ts";

/** The layout a database has: the number of steps that were taken; 0 where it is none of ours. The file is only read. Rejects with a StoreError. */
export async function readLayout(path: string): Promise<number> {
  try {
    const connection = await openForReading(path);
    try {
      connection.run("PRAGMA busy_timeout = 5000");
      const table = "SELECT 1 AS found FROM sqlite_master WHERE name = 'remem_migrations'";
      if (connection.prepare(table).get() === undefined) return 0;
      return Number(connection.prepare("SELECT count(*) AS n FROM remem_migrations").get()?.["n"]);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw storeError(error);
  }
}
