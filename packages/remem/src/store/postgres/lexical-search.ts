import { scopeKey } from "../../core/memory/scope.ts";
import type { CorpusStatistics, LexicalHits, LexicalQuery } from "../../core/ports/memory-store.ts";
import { affordableTerms, termRarity } from "../shared/affordable-terms.ts";
import type { PgSession } from "./database.ts";
import { scopesNamed } from "./scopes.ts";

/** The candidates of a query, by the rarity of the terms they have: the same as every other store gives. */
export async function searchTerms(session: PgSession, query: LexicalQuery): Promise<LexicalHits> {
  const statistics = await corpusStatistics(session, query.terms);
  const { documents, frequency } = statistics;
  const searched = affordableTerms(query.terms, frequency);
  if (searched.length === 0 || query.scopes.length === 0) return { rows: [], statistics };
  const rows = await session.query(CANDIDATES, [
    searched,
    searched.map((term) => termRarity(documents, frequency.get(term) ?? 1)),
    query.scopes.map(scopeKey),
    query.states,
    query.kinds ?? null,
    query.limit,
  ]);
  return { rows: rows.map((row) => Number(row["id"])), statistics };
}

const CANDIDATES = `
SELECT hit.id FROM unnest($1::text[], $2::float8[]) AS wanted(term, rarity)
CROSS JOIN LATERAL (
  SELECT m.id FROM memories m
  WHERE m.terms @> ARRAY[wanted.term] AND m.scope = ANY(ARRAY(${scopesNamed("$3")})) AND m.state = ANY($4::text[])
    AND ($5::text[] IS NULL OR m.kind = ANY($5::text[]))) AS hit
GROUP BY hit.id ORDER BY sum(wanted.rarity) DESC, hit.id DESC LIMIT $6`;

/** The store's counts and those of some terms, in one statement. */
async function corpusStatistics(session: PgSession, terms: readonly string[]): Promise<CorpusStatistics> {
  const rows = await session.query(
    `SELECT t.memories, t.terms, t.sessions, c.term, c.documents FROM statistics t
     LEFT JOIN term_counts c ON c.term = ANY($1::text[]) WHERE t.id = 1`,
    [terms],
  );
  const frequency = new Map<string, number>(terms.map((term) => [term, 0]));
  for (const row of rows)
    if (row["term"] !== null) frequency.set(String(row["term"]), Number(row["documents"]));
  return {
    documents: Number(rows[0]?.["memories"] ?? 0),
    terms: Number(rows[0]?.["terms"] ?? 0),
    sessions: Number(rows[0]?.["sessions"] ?? 0),
    frequency,
  };
}
