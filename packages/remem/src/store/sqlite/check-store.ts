import { unreadable } from "../shared/unreadable.ts";
import type { SqlConnection } from "./driver.ts";
import { reading } from "./transaction.ts";

/** Checks the database file, its references, the full-text index and the counts. Gives what is wrong, in words. */
export function checkStore(connection: SqlConnection): string[] {
  const problems: string[] = [];
  for (const row of connection.prepare("PRAGMA integrity_check").all()) {
    const found = String(Object.values(row)[0]);
    if (found !== "ok") problems.push(`file: ${found}`);
  }
  const dangling = connection.prepare("PRAGMA foreign_key_check").all().length;
  if (dangling > 0) problems.push(`references: ${dangling} rows refer to rows that are not there`);
  try {
    connection.run("INSERT INTO memory_index(memory_index, rank) VALUES('integrity-check', 1)");
  } catch (error) {
    problems.push(`full-text index: ${error instanceof Error ? error.message : String(error)}`);
  }
  return [...problems, ...reading(connection, () => checkRows(connection))];
}

function checkRows(connection: SqlConnection): string[] {
  const problems: string[] = [];
  const counts: Readonly<Record<string, string>> = {
    memories: "SELECT count(*) AS n FROM memories",
    "index terms": "SELECT count(*) AS n FROM memory_terms",
    "counted memories": "SELECT memories AS n FROM memory_statistics",
  };
  const numbers = Object.entries(counts).map(([name, sql]) => ({
    name,
    count: Number(connection.prepare(sql).get()?.["n"]),
  }));
  if (new Set(numbers.map(({ count }) => count)).size > 1)
    problems.push(`counts: ${numbers.map(({ name, count }) => `${count} ${name}`).join(", ")}`);
  const groups = connection
    .prepare(
      "SELECT s.key, m.kind, count(*) AS n FROM memories m JOIN memory_scopes s ON s.id = m.scope GROUP BY s.key, m.kind",
    )
    .all()
    .map((row) => ({ scope: String(row["key"]), kind: String(row["kind"]), memories: Number(row["n"]) }));
  const wrong = unreadable(groups);
  if (wrong !== undefined) problems.push(wrong);
  return problems;
}
