import type { ForgetReport, Selection } from "../../core/ports/memory-store.ts";
import type { SqlConnection } from "./driver.ts";
import { unindexRow } from "./index-row.ts";
import { selectionCondition } from "./selection.ts";
import { changeStatistics } from "./statistics.ts";

/**
 * Erases the selected memories: rows, index terms, vectors, and what may repeat them: the summaries and traces of their sessions, traces and
 * corrections that name them. With `tombstones`, a keyed mark stays that keeps the same text from being learned again. Call it inside a transaction.
 */
export function forgetMemories(
  connection: SqlConnection,
  selection: Selection,
  at: number,
  tombstones: boolean,
): ForgetReport {
  const { condition, values } = selectionCondition(connection, selection);
  const selected = connection
    .prepare(
      `SELECT m.id, m.uid, m.content_key, m.session, n.session_id FROM memories m JOIN observations o ON o.id = m.id JOIN sessions n ON n.id = m.session ${condition}`,
    )
    .all(...values);
  let vectors = 0;
  let terms = 0;
  for (const row of selected) {
    const id = row["id"] as number;
    if (tombstones)
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
  forgetQuotes(
    connection,
    selected.map((row) => String(row["uid"])),
    [...sessions],
  );
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

/** Traces and corrections quote prompts: those of these sessions, and those that name one of these memories, go with them. */
export function forgetQuotes(
  connection: SqlConnection,
  ids: readonly string[],
  sessions: readonly string[],
): void {
  const lists = [JSON.stringify(sessions), JSON.stringify(ids)] as const;
  connection
    .prepare(
      `DELETE FROM recall_traces WHERE session_id IN (SELECT value FROM json_each(?)) OR EXISTS (
         SELECT 1 FROM json_each(content, '$.hits') hit WHERE hit.value ->> 'id' IN (SELECT value FROM json_each(?)))`,
    )
    .run(...lists);
  connection
    .prepare(
      `DELETE FROM corrections WHERE session_id IN (SELECT value FROM json_each(?)) OR EXISTS (
         SELECT 1 FROM json_each(content, '$.disputed') disputed WHERE disputed.value IN (SELECT value FROM json_each(?)))`,
    )
    .run(...lists);
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
