import type { PgSession } from "./database.ts";

/** Counts that would be slow to count, kept up to date in the transactions that change them. */
export interface Statistics {
  readonly memories: number;
  readonly terms: number;
  readonly sessions: number;
  /** How often memories were erased or vectors replaced: what was loaded before is to be loaded again. */
  readonly erasures: number;
}

export async function readStatistics(session: PgSession): Promise<Statistics> {
  const [row] = await session.query(
    "SELECT memories, terms, sessions, erasures FROM statistics WHERE id = 1",
  );
  return {
    memories: Number(row?.["memories"] ?? 0),
    terms: Number(row?.["terms"] ?? 0),
    sessions: Number(row?.["sessions"] ?? 0),
    erasures: Number(row?.["erasures"] ?? 0),
  };
}

export async function changeStatistics(session: PgSession, by: Partial<Statistics>): Promise<void> {
  await session.query(
    `UPDATE statistics SET memories = memories + $1, terms = terms + $2, sessions = sessions + $3, erasures = erasures + $4
     WHERE id = 1`,
    [by.memories ?? 0, by.terms ?? 0, by.sessions ?? 0, by.erasures ?? 0],
  );
}
