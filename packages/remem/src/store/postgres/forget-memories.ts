import type { ForgetReport, Selection } from "../../core/ports/memory-store.ts";
import { termCount } from "../../core/text/index-terms.ts";
import type { PgSession } from "./database.ts";
import { countTerms } from "./insert-memory.ts";
import { selectionCondition } from "./selection.ts";
import { changeStatistics } from "./statistics.ts";

/** Erases the selected memories and what may repeat them, as in every other store. */
export async function forgetMemories(
  session: PgSession,
  selection: Selection,
  at: number,
  tombstones: boolean,
): Promise<ForgetReport> {
  const { condition, values } = await selectionCondition(session, selection);
  const selected = await session.query(
    `SELECT m.id, m.uid, m.content_key, m.session, n.session_id, m.terms, m.title_terms, m.body_terms, m.details_terms,
       m.origin_terms FROM memories m JOIN sessions n ON n.id = m.session ${condition}`,
    values,
  );
  const rows = selected.map((row) => Number(row["id"]));
  if (tombstones)
    for (const row of selected)
      await session.query(
        `INSERT INTO tombstones(content_key, forgotten_at) VALUES($1, $2)
         ON CONFLICT(content_key) DO UPDATE SET forgotten_at = excluded.forgotten_at`,
        [row["content_key"] as Uint8Array, at],
      );
  const vectors = await session.change("DELETE FROM memory_vectors WHERE memory = ANY($1::bigint[])", [rows]);
  await session.query("DELETE FROM memories WHERE id = ANY($1::bigint[])", [rows]);
  if (rows.length > 0)
    await countTerms(
      session,
      selected.flatMap((row) => row["terms"] as string[]),
      -1,
    );
  const sessions = new Set(selected.map((row) => String(row["session_id"])));
  if (selection.sessionId !== undefined && selection.ids === undefined) sessions.add(selection.sessionId);
  await forgetTraces(
    session,
    selected.map((row) => String(row["uid"])),
    [...sessions],
  );
  const summaries = await session.change("DELETE FROM session_summaries WHERE session_id = ANY($1::text[])", [
    [...sessions],
  ]);
  const emptied = await session.change(
    "DELETE FROM sessions s WHERE s.id = ANY($1::int[]) AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.session = s.id)",
    [selected.map((row) => Number(row["session"]))],
  );
  const terms = selected.reduce(
    (sum, row) =>
      sum +
      termCount({
        title: String(row["title_terms"]),
        body: String(row["body_terms"]),
        details: String(row["details_terms"]),
        origin: String(row["origin_terms"]),
      }),
    0,
  );
  if (rows.length > 0)
    await changeStatistics(session, {
      memories: -rows.length,
      terms: -terms,
      sessions: -emptied,
      erasures: 1,
    });
  return { memories: rows.length, vectors, summaries };
}

/** Traces and corrections quote prompts: those of these sessions, and those that name one of these memories, go with them. */
async function forgetTraces(
  session: PgSession,
  ids: readonly string[],
  sessions: readonly string[],
): Promise<void> {
  await session.query(
    `DELETE FROM recall_traces WHERE session_id = ANY($1::text[]) OR EXISTS (
       SELECT 1 FROM json_array_elements(content::json -> 'hits') hit WHERE hit ->> 'id' = ANY($2::text[]))`,
    [sessions, ids],
  );
  await session.query(
    `DELETE FROM corrections WHERE session_id = ANY($1::text[]) OR EXISTS (
       SELECT 1 FROM json_array_elements_text(content::json -> 'disputed') disputed WHERE disputed = ANY($2::text[]))`,
    [sessions, ids],
  );
}
