import type { ForgetReport, Selection } from "../../core/ports/memory-store.ts";
import type { SqlConnection } from "./driver.ts";
import { unindexRow } from "./index-row.ts";
import { selectionCondition } from "./selection.ts";
import { changeStatistics } from "./statistics.ts";

/**
 * Erases the selected memories: rows, index terms, vectors, and the summaries of their sessions, which may repeat them. What
 * stays is a keyed mark that keeps the same text from being learned again. Call it inside a transaction.
 */
export function forgetMemories(connection: SqlConnection, selection: Selection, at: number): ForgetReport {
  const { condition, values } = selectionCondition(selection);
  const selected = connection
    .prepare(
      `SELECT m.id, m.content_key, m.session, n.session_id FROM memories m JOIN observations o ON o.id = m.id
       JOIN memory_scopes s ON s.id = m.scope JOIN sessions n ON n.id = m.session ${condition}`,
    )
    .all(...values);
  let vectors = 0;
  let terms = 0;
  for (const row of selected) {
    const id = row["id"] as number;
    connection
      .prepare("INSERT OR REPLACE INTO tombstones(content_key, forgotten_at) VALUES(?, ?)")
      .run(row["content_key"] as Uint8Array, at);
    terms += unindexRow(connection, id);
    vectors += connection.prepare("DELETE FROM memory_vectors WHERE memory = ?").run(id).changes;
    // A statement that this one replaced becomes the last word again only by a person's choice.
    connection.prepare("UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?").run(id);
    connection.prepare("DELETE FROM memories WHERE id = ?").run(id);
    connection.prepare("DELETE FROM observations WHERE id = ?").run(id);
  }
  const sessions = new Set(selected.map((row) => String(row["session_id"])));
  if (selection.sessionId !== undefined && selection.ids === undefined) sessions.add(selection.sessionId);
  let summaries = 0;
  for (const session of sessions)
    summaries += connection
      .prepare("DELETE FROM session_summaries WHERE session_id = ?")
      .run(session).changes;
  const emptied = removeEmptySessions(connection, new Set(selected.map((row) => row["session"] as number)));
  if (selected.length > 0)
    changeStatistics(connection, {
      memories: -selected.length,
      terms: -terms,
      sessions: -emptied,
      erasures: 1,
    });
  return { memories: selected.length, vectors, summaries };
}

function removeEmptySessions(connection: SqlConnection, sessions: ReadonlySet<number>): number {
  let removed = 0;
  for (const session of sessions)
    removed += connection
      .prepare(
        "DELETE FROM sessions WHERE id = ? AND NOT EXISTS (SELECT 1 FROM memories WHERE session = sessions.id)",
      )
      .run(session).changes;
  return removed;
}
