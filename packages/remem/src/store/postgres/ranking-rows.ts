import type { AuthorRole, Freshness, MemoryKind, MemoryState } from "../../core/memory/record.ts";
import { type MemoryScope, scopeKey } from "../../core/memory/scope.ts";
import type { RankingRow } from "../../core/ports/memory-store.ts";
import type { PgRow, PgSession } from "./database.ts";
import { scopesNamed } from "./scopes.ts";

/**
 * The rows are looked up by one list of numbers that is made first: whatever the server has counted of its tables, it reads nothing else.
 */
const NEIGHBOURHOOD = `
SELECT m.id, m.session, m.sequence, m.said_at, m.kind, m.state, m.freshness, m.author_role, m.author_name, m.cues, m.variety,
  m.title_terms, m.body_terms, m.details_terms, m.origin_terms
FROM memories m WHERE m.id = ANY(ARRAY(
    SELECT unnest($1::bigint[]) UNION
    SELECT near.id FROM memories hit JOIN memories near ON near.session = hit.session
      AND near.sequence BETWEEN hit.sequence - $2::int AND hit.sequence + $3::int
    WHERE hit.id = ANY($1::bigint[]) AND hit.said))
  AND m.state = ANY($4::text[]) AND m.scope = ANY(ARRAY(${scopesNamed("$5")}))
ORDER BY m.id`;

/** Memories as the ranking sees them: rows, and around those that were said their neighbours in the session. */
export async function selectNeighbourhood(
  session: PgSession,
  rows: readonly number[],
  reach: { readonly before: number; readonly after: number },
  limits: { readonly scopes: readonly MemoryScope[]; readonly states: readonly string[] },
): Promise<RankingRow[]> {
  const found = await session.query(NEIGHBOURHOOD, [
    rows,
    reach.before,
    reach.after,
    limits.states,
    limits.scopes.map(scopeKey),
  ]);
  return found.map(toRankingRow);
}

function toRankingRow(row: PgRow): RankingRow {
  return {
    row: Number(row["id"]),
    session: Number(row["session"]),
    sequence: Number(row["sequence"]),
    at: Number(row["said_at"]),
    kind: String(row["kind"]) as MemoryKind,
    state: String(row["state"]) as MemoryState,
    freshness: String(row["freshness"]) as Freshness,
    authorRole: String(row["author_role"]) as AuthorRole,
    authorName: String(row["author_name"]),
    cues: Number(row["cues"]),
    variety: Number(row["variety"]),
    title: String(row["title_terms"]),
    body: String(row["body_terms"]),
    details: String(row["details_terms"]),
    origin: String(row["origin_terms"]),
  };
}
