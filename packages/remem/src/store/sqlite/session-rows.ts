import type { Part, SessionSummary } from "../../core/ports/memory-store.ts";
import type { SqlConnection, SqlRow } from "./driver.ts";
import { writtenTime } from "./foreign/written-time.ts";
import { nextPart } from "./memory-rows.ts";

export function addSummary(connection: SqlConnection, summary: SessionSummary): void {
  connection
    .prepare(
      `INSERT INTO session_summaries(session_id, project, request, investigated, learned, completed, next_steps, created_at)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      summary.sessionId,
      summary.project,
      summary.request,
      summary.investigated,
      summary.learned,
      summary.completed,
      summary.nextSteps,
      summary.at,
    );
}

/** The newest summaries of a project, newest first. */
export function selectSummaries(connection: SqlConnection, project: string, limit: number): SessionSummary[] {
  return connection
    .prepare("SELECT * FROM session_summaries WHERE project = ? ORDER BY created_at DESC, id DESC LIMIT ?")
    .all(project, limit)
    .map(toSummary);
}

/** Summaries in the order they were written. */
export function scanSummaries(connection: SqlConnection, after: number, limit: number): Part<SessionSummary> {
  const rows = connection
    .prepare("SELECT * FROM session_summaries WHERE id > ? ORDER BY id LIMIT ?")
    .all(after, limit);
  return { items: rows.map(toSummary), next: nextPart(rows, limit) };
}

function toSummary(row: SqlRow): SessionSummary {
  return {
    sessionId: String(row["session_id"]),
    project: String(row["project"]),
    request: String(row["request"] ?? ""),
    investigated: String(row["investigated"] ?? ""),
    learned: String(row["learned"] ?? ""),
    completed: String(row["completed"] ?? ""),
    nextSteps: String(row["next_steps"] ?? ""),
    at: writtenTime(row["created_at"]),
  };
}
