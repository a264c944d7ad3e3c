import type { SqlConnection } from "./driver.ts";

/** Counts that would be slow to count, kept up to date in the transactions that change them. */
export interface Statistics {
  readonly memories: number;
  readonly terms: number;
  readonly sessions: number;
  /** How often memories were erased or vectors replaced: what was loaded before is to be loaded again. */
  readonly erasures: number;
}

export function readStatistics(connection: SqlConnection): Statistics {
  const row = connection
    .prepare("SELECT memories, terms, sessions, erasures FROM memory_statistics WHERE id = 1")
    .get();
  return {
    memories: Number(row?.["memories"] ?? 0),
    terms: Number(row?.["terms"] ?? 0),
    sessions: Number(row?.["sessions"] ?? 0),
    erasures: Number(row?.["erasures"] ?? 0),
  };
}

export function changeStatistics(connection: SqlConnection, by: Partial<Statistics>): void {
  connection
    .prepare(
      `UPDATE memory_statistics
       SET memories = memories + ?, terms = terms + ?, sessions = sessions + ?, erasures = erasures + ? WHERE id = 1`,
    )
    .run(by.memories ?? 0, by.terms ?? 0, by.sessions ?? 0, by.erasures ?? 0);
}
