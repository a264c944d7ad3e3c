import type { SqlConnection } from "./driver.ts";

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
  return problems;
}
