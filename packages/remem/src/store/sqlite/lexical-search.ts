import type { LexicalHits, LexicalQuery } from "../../core/ports/memory-store.ts";
import { FIELD } from "../../core/ranking/weights.ts";
import type { SqlConnection } from "./driver.ts";
import { scopeToken } from "./index-row.ts";
import { readStatistics } from "./statistics.ts";

/**
 * So many rows may match before frequent terms are left out of the search for candidates: sorting more would take longer
 * than a prompt may wait. Left-out terms still count when the candidates are ranked.
 */
const MOST_MATCHES = 20_000;
const LEAST_TERMS = 2;

/** The candidates of a query, by FTS5's own BM25 over the fields of each row. `scopes` are store numbers. */
export function searchIndex(connection: SqlConnection, query: LexicalQuery, scopes: ReadonlySet<number>): LexicalHits {
  const count = connection.prepare("SELECT doc FROM memory_vocabulary WHERE term = ?");
  const frequency = new Map<string, number>();
  for (const term of query.terms) frequency.set(term, Number(count.get(term)?.["doc"] ?? 0));
  const { memories, terms, sessions } = readStatistics(connection);
  const statistics = { documents: memories, terms, sessions, frequency };
  const searched = affordable(query.terms, frequency);
  if (searched.length === 0 || scopes.size === 0) return { rows: [], statistics };
  const match = `(scope : (${anyOf([...scopes].map(scopeToken))})) AND ({title body details origin} : (${anyOf(searched)}))`;
  const rows = connection
    .prepare(
      `SELECT rowid AS id FROM memory_index WHERE memory_index MATCH ?
       ORDER BY bm25(memory_index, ${FIELD.title}, ${FIELD.body}, ${FIELD.details}, ${FIELD.origin}, 0) LIMIT ?`,
    )
    .all(match, query.limit)
    .map((row) => row["id"] as number);
  return { rows, statistics };
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
      return index < LEAST_TERMS || matches <= MOST_MATCHES;
    })
    .map(({ term }) => term);
}

/** An FTS5 expression for any of the terms. Terms hold letters, digits and marks only; quotes keep words like OR from being syntax. */
function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ");
}
