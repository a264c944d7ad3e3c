import type { RankedRow } from "./rank.ts";

/** A session, by its best rows. */
export interface RankedSession {
  readonly session: number;
  readonly score: number;
  /** Its row numbers, best first. */
  readonly rows: readonly number[];
}

/** What the best rows of a session count, best first; more would make long sessions win by length. */
const SHARES = [1, 0.5, 0.25];

/** The sessions of ranked rows, best first. */
export function rankSessions(ranked: readonly RankedRow[]): RankedSession[] {
  const sessions = new Map<number, { score: number; rows: number[] }>();
  for (const { row, score } of ranked) {
    const known = sessions.get(row.session) ?? { score: 0, rows: [] };
    known.score += score * (SHARES[known.rows.length] ?? 0);
    known.rows.push(row.row);
    sessions.set(row.session, known);
  }
  return [...sessions]
    .map(([session, { score, rows }]) => ({ session, score, rows }))
    .sort((a, b) => b.score - a.score || b.session - a.session);
}
