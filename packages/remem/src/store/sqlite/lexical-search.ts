import type { LexicalHits, LexicalQuery } from "../../core/ports/memory-store.ts";
import type { SqlConnection } from "./driver.ts";
import { scopeToken } from "./index-row.ts";
import { readStatistics } from "./statistics.ts";

/**
 * So many postings are read to find candidates, rarest terms first; the others still count when the candidates are ranked.
 * FTS5's own bm25() would read all of them twice.
 */
const MOST_POSTINGS = 8_000;
const LEAST_TERMS = 2;

/** The candidates of a query, by the rarity of the terms they have. `scopes` are store numbers. */
export function searchIndex(
  connection: SqlConnection,
  query: LexicalQuery,
  scopes: ReadonlySet<number>,
): LexicalHits {
  const count = connection.prepare("SELECT doc FROM memory_vocabulary WHERE term = ?");
  const frequency = new Map<string, number>();
  for (const term of query.terms) frequency.set(term, Number(count.get(term)?.["doc"] ?? 0));
  const { memories, terms, sessions } = readStatistics(connection);
  const statistics = { documents: memories, terms, sessions, frequency };
  const searched = affordable(query.terms, frequency);
  if (searched.length === 0 || scopes.size === 0) return { rows: [], statistics };
  const scores = new Map<number, number>();
  const inScope = `(scope : (${[...scopes].map((scope) => quoted(scopeToken(scope))).join(" OR ")}))`;
  for (const term of searched) {
    const rarity = Math.log(1 + memories / (frequency.get(term) ?? 1));
    for (const row of postings(connection, `${inScope} AND ({title body details origin} : ${quoted(term)})`))
      scores.set(row, (scores.get(row) ?? 0) + rarity);
  }
  const best = [...scores].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([row]) => row);
  return { rows: firstInState(connection, best, query), statistics };
}

/** The first rows that are in one of the states asked for. */
function firstInState(
  connection: SqlConnection,
  best: readonly number[],
  { states, limit }: LexicalQuery,
): number[] {
  const inState = connection.prepare(
    `SELECT json_group_array(id) AS list FROM memories
     WHERE id IN (SELECT value FROM json_each(?)) AND state IN (SELECT value FROM json_each(?))`,
  );
  const rows: number[] = [];
  for (let start = 0; start < best.length && rows.length < limit; start += limit) {
    const some = best.slice(start, start + limit);
    const list = inState.get(JSON.stringify(some), JSON.stringify(states))?.["list"];
    const allowed = new Set(JSON.parse(String(list)) as number[]);
    rows.push(...some.filter((row) => allowed.has(row)));
  }
  return rows.slice(0, limit);
}

/** The rows of a match as one value: a row at a time costs more than finding it. */
function postings(connection: SqlConnection, match: string): number[] {
  const list = connection
    .prepare("SELECT json_group_array(rowid) AS list FROM memory_index WHERE memory_index MATCH ?")
    .get(match)?.["list"];
  return JSON.parse(String(list)) as number[];
}

/** The terms that occur, the rarest first, as long as not too many rows match. */
function affordable(terms: readonly string[], frequency: ReadonlyMap<string, number>): string[] {
  const occurring = terms
    .map((term) => ({ term, rows: frequency.get(term) ?? 0 }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => a.rows - b.rows);
  let matches = 0;
  return occurring
    .filter(({ rows }, index) => {
      matches += rows;
      return index < LEAST_TERMS || matches <= MOST_POSTINGS;
    })
    .map(({ term }) => term);
}

/** A term as FTS5 reads it: in quotes, words like OR are no syntax. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
