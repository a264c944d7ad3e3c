import type { RecallTrace } from "../../../core/trace/recall-trace.ts";
import { TRACES_IN_ALL, TRACES_OF_A_SESSION } from "../../shared/limits.ts";
import type { SqlConnection } from "../driver.ts";

/** Keeps a trace, and drops the oldest ones over the limits. Call it inside a transaction. */
export function addTrace(connection: SqlConnection, trace: RecallTrace): void {
  connection
    .prepare("INSERT INTO recall_traces(session_id, content) VALUES(?, ?)")
    .run(trace.sessionId, JSON.stringify(trace));
  connection
    .prepare(
      `DELETE FROM recall_traces WHERE session_id = ?1 AND id <=
         (SELECT id FROM recall_traces WHERE session_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    )
    .run(trace.sessionId, TRACES_OF_A_SESSION);
  connection
    .prepare(
      "DELETE FROM recall_traces WHERE id <= (SELECT id FROM recall_traces ORDER BY id DESC LIMIT 1 OFFSET ?)",
    )
    .run(TRACES_IN_ALL);
}

/** The newest traces, newest first. */
export function selectTraces(
  connection: SqlConnection,
  sessionId: string | undefined,
  limit: number,
): RecallTrace[] {
  const rows =
    sessionId === undefined
      ? connection.prepare("SELECT content FROM recall_traces ORDER BY id DESC LIMIT ?").all(limit)
      : connection
          .prepare("SELECT content FROM recall_traces WHERE session_id = ? ORDER BY id DESC LIMIT ?")
          .all(sessionId, limit);
  return rows.map((row) => JSON.parse(String(row["content"])) as RecallTrace);
}
