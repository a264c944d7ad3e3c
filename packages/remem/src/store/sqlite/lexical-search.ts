import type { LexicalHits, LexicalQuery } from "../../core/ports/memory-store.ts";
import { affordableTerms, termRarity } from "../shared/affordable-terms.ts";
import type { SqlConnection } from "./driver.ts";
import { inScopes, inTexts } from "./index-row.ts";
import { readStatistics } from "./statistics.ts";
import type { TermFrequencies } from "./term-frequencies.ts";

/**
 * Where so much of the best candidates of all scopes is allowed, the rest of them is filtered, too. Where it is less, the index leaves other
 * scopes out: it reads all rows of the scope for each term, which is worth it for a small scope only.
 */
const BROAD_SHARE = 0.25;

/** The candidates of a query, by the rarity of the terms they have. `scopes` are store numbers. Call it in a transaction. */
export function searchIndex(
  connection: SqlConnection,
  frequencies: TermFrequencies,
  query: LexicalQuery,
  scopes: ReadonlySet<number>,
): LexicalHits {
  const { memories, terms, sessions, erasures } = readStatistics(connection);
  const frequency = frequencies.count(query.terms, erasures);
  const statistics = { documents: memories, terms, sessions, frequency };
  const rarity = new Map(
    affordableTerms(query.terms, frequency).map((term) => [
      term,
      termRarity(memories, frequency.get(term) ?? 1),
    ]),
  );
  if (rarity.size === 0 || scopes.size === 0) return { rows: [], statistics };
  const allowed = allowing(connection, query, scopes);
  const best = bestRows(connection, rarity, undefined);
  const first = allowed(best.slice(0, query.limit));
  const isBroad = best.length <= query.limit || first.length >= BROAD_SHARE * query.limit;
  if (isBroad) return { rows: firstAllowed(best, allowed, query.limit, first), statistics };
  return { rows: firstAllowed(bestRows(connection, rarity, scopes), allowed, query.limit), statistics };
}

/** Which of some rows are in one of the scopes and states, and of one of the kinds, asked for; in their order. */
function allowing(
  connection: SqlConnection,
  { states, kinds }: LexicalQuery,
  scopes: ReadonlySet<number>,
): (rows: readonly number[]) => number[] {
  const statement = connection.prepare(
    `SELECT json_group_array(id) AS list FROM memories
     WHERE id IN (SELECT value FROM json_each(?)) AND scope IN (SELECT value FROM json_each(?))
       AND state IN (SELECT value FROM json_each(?))
     ${kinds === undefined ? "" : "AND kind IN (SELECT value FROM json_each(?))"}`,
  );
  const wanted = [[...scopes], states, ...(kinds === undefined ? [] : [kinds])].map((list) =>
    JSON.stringify(list),
  );
  return (rows) => {
    const list = statement.get(JSON.stringify(rows), ...wanted)?.["list"];
    const found = new Set(JSON.parse(String(list)) as number[]);
    return rows.filter((row) => found.has(row));
  };
}

/** The first `limit` rows that are allowed; `first` are those of the first part, if they are known. */
function firstAllowed(
  best: readonly number[],
  allowed: (rows: readonly number[]) => number[],
  limit: number,
  first: readonly number[] = allowed(best.slice(0, limit)),
): number[] {
  const rows = [...first];
  for (let start = limit; start < best.length && rows.length < limit; start += limit)
    rows.push(...allowed(best.slice(start, start + limit)));
  return rows.slice(0, limit);
}

/** All rows with one of the terms, those with the rarest first; of all scopes, or of some. */
function bestRows(
  connection: SqlConnection,
  rarity: ReadonlyMap<string, number>,
  scopes: ReadonlySet<number> | undefined,
): number[] {
  const within = scopes === undefined ? "" : `${inScopes(scopes)} AND `;
  const scores = new Map<number, number>();
  for (const [term, worth] of rarity)
    for (const row of postings(connection, `${within}${inTexts(term)}`))
      scores.set(row, (scores.get(row) ?? 0) + worth);
  return [...scores].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([row]) => row);
}

/** The rows of a match as one value: a row at a time costs more than finding it. */
function postings(connection: SqlConnection, match: string): number[] {
  const list = connection
    .prepare("SELECT json_group_array(rowid) AS list FROM memory_index WHERE memory_index MATCH ?")
    .get(match)?.["list"];
  return JSON.parse(String(list)) as number[];
}
