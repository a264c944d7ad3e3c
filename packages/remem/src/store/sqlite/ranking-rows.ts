import type { AuthorRole, Freshness, MemoryKind, MemoryState } from "../../core/memory/record.ts";
import type { RankingRow } from "../../core/ports/memory-store.ts";
import type { SqlConnection, SqlRow } from "./driver.ts";

/** Memories as the ranking sees them: rows, and around those that were said their neighbours in the session. `scopes` are store numbers. */
export function selectNeighbourhood(
  connection: SqlConnection,
  rows: readonly number[],
  reach: { readonly before: number; readonly after: number },
  scopes: readonly number[],
  states: readonly string[],
): RankingRow[] {
  return connection
    .prepare(
      `SELECT m.id, m.session, m.sequence, m.said_at, m.kind, m.state, m.freshness, m.author_role, m.author_name, m.cues,
         m.variety, t.title, t.body, t.details, t.origin
       FROM memories m JOIN memory_terms t ON t.id = m.id
       WHERE m.id IN (
         SELECT value FROM json_each(?1) UNION
         SELECT near.id FROM json_each(?1) asked JOIN memories hit ON hit.id = asked.value AND hit.said = 1
         JOIN memories near ON near.session = hit.session AND near.sequence BETWEEN hit.sequence - ?2 AND hit.sequence + ?3)
       AND m.scope IN (SELECT value FROM json_each(?4)) AND m.state IN (SELECT value FROM json_each(?5))`,
    )
    .all(JSON.stringify(rows), reach.before, reach.after, JSON.stringify(scopes), JSON.stringify(states))
    .map(toRankingRow);
}

function toRankingRow(row: SqlRow): RankingRow {
  return {
    row: row["id"] as number,
    session: row["session"] as number,
    sequence: row["sequence"] as number,
    at: row["said_at"] as number,
    kind: row["kind"] as MemoryKind,
    state: row["state"] as MemoryState,
    freshness: row["freshness"] as Freshness,
    authorRole: row["author_role"] as AuthorRole,
    authorName: row["author_name"] as string,
    cues: row["cues"] as number,
    variety: row["variety"] as number,
    title: row["title"] as string,
    body: row["body"] as string,
    details: row["details"] as string,
    origin: row["origin"] as string,
  };
}
