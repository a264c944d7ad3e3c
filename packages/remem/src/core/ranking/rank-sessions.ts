import type { RankedRow } from "./rank.ts";
import { SESSION } from "./weights.ts";

/** A session, by its best rows. */
export interface RankedSession {
  readonly session: number;
  readonly score: number;
  /** Its row numbers, best first. */
  readonly rows: readonly number[];
}

/** The sessions of ranked rows, best first; ties go to the newer one. */
export function rankSessions(ranked: readonly RankedRow[]): RankedSession[] {
  const sessions = new Map<number, RankedRow[]>();
  for (const one of ranked) {
    const rows = sessions.get(one.row.session);
    if (rows === undefined) sessions.set(one.row.session, [one]);
    else rows.push(one);
  }
  return [...sessions]
    .map(([session, rows]) => ({ session, score: scoreOf(rows), rows: rows.map(({ row }) => row.row) }))
    .sort((a, b) => b.score - a.score || b.session - a.session);
}

/** The first rows count, each less than the one before: with all of them, long sessions would win by their length. */
function scoreOf(rows: readonly RankedRow[]): number {
  let score = 0;
  for (const [place, one] of rows.slice(0, SESSION.rows).entries())
    score += one.score * SESSION.share ** place;
  return score * Math.exp(SESSION.likeness * meanLikeness(rows));
}

/** The mean of the highest likenesses; what lacks a vector is not alike. */
function meanLikeness(rows: readonly RankedRow[]): number {
  const likenesses = rows
    .map(({ parts }) => parts.cosine ?? 0)
    .sort((a, b) => b - a)
    .slice(0, SESSION.likeRows);
  return likenesses.reduce((sum, likeness) => sum + likeness, 0) / SESSION.likeRows;
}
