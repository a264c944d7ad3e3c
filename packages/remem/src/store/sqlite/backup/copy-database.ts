import { rmSync } from "node:fs";
import { StoreError } from "../../../core/errors.ts";
import type { SqlConnection } from "../driver.ts";
import { newOwnFile } from "./kept-file.ts";

/** Copies a database to a new file of this name (or the next free one) and checks the copy; gives the file. Call it outside of a transaction. */
export function copyDatabase(connection: SqlConnection, name: string): string {
  const file = newOwnFile(name);
  try {
    connection.prepare("VACUUM INTO ?").run(file);
    withAttached(connection, file, checkCopy);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
  return file;
}

/** The same, of a database as it was before a table was made; nothing is left of a copy that already has it. */
export function copyBeforeTable(connection: SqlConnection, name: string, table: string): void {
  const file = copyDatabase(connection, name);
  const late = withAttached(connection, file, () =>
    connection.prepare("SELECT 1 AS found FROM copied.sqlite_master WHERE name = ?").get(table),
  );
  if (late !== undefined) rmSync(file);
}

function withAttached<T>(
  connection: SqlConnection,
  file: string,
  use: (connection: SqlConnection, file: string) => T,
): T {
  connection.prepare("ATTACH ? AS copied").run(file);
  try {
    return use(connection, file);
  } finally {
    connection.run("DETACH copied");
  }
}

function checkCopy(connection: SqlConnection, file: string): void {
  const problems = connection
    .prepare("PRAGMA copied.integrity_check")
    .all()
    .map((row) => String(Object.values(row)[0]))
    .filter((found) => found !== "ok");
  if (connection.prepare("SELECT count(*) AS n FROM copied.sqlite_master").get()?.["n"] === 0)
    problems.push("it is empty");
  if (problems.length > 0)
    throw new StoreError(
      "corrupt",
      `the copy of the memory store at ${file} is not sound: ${problems.join("; ")}`,
      "check the disk; the store itself was not changed",
    );
}
