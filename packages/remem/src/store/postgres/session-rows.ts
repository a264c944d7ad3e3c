import type { Part, SessionSummary } from "../../core/ports/memory-store.ts";
import type { PgRow, PgSession } from "./database.ts";
import { storable } from "./storable-text.ts";

export async function addSummary(session: PgSession, summary: SessionSummary): Promise<void> {
  await session.query(
    `INSERT INTO session_summaries(session_id, project, request, investigated, learned, completed, next_steps, created_at)
     VALUES($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      summary.sessionId,
      summary.project,
      storable(summary.request),
      storable(summary.investigated),
      storable(summary.learned),
      storable(summary.completed),
      storable(summary.nextSteps),
      summary.at,
    ],
  );
}

/** The newest summaries of a project, newest first. */
export async function selectSummaries(
  session: PgSession,
  project: string,
  limit: number,
): Promise<SessionSummary[]> {
  const rows = await session.query(
    "SELECT * FROM session_summaries WHERE project = $1 ORDER BY created_at DESC, id DESC LIMIT $2",
    [project, limit],
  );
  return rows.map(toSummary);
}

/** Summaries in the order they were written. */
export async function scanSummaries(
  session: PgSession,
  after: number,
  limit: number,
): Promise<Part<SessionSummary>> {
  const rows = await session.query("SELECT * FROM session_summaries WHERE id > $1 ORDER BY id LIMIT $2", [
    after,
    limit,
  ]);
  return { items: rows.map(toSummary), next: rows.length < limit ? null : Number(rows.at(-1)?.["id"]) };
}

function toSummary(row: PgRow): SessionSummary {
  return {
    sessionId: String(row["session_id"]),
    project: String(row["project"]),
    request: String(row["request"]),
    investigated: String(row["investigated"]),
    learned: String(row["learned"]),
    completed: String(row["completed"]),
    nextSteps: String(row["next_steps"]),
    at: Number(row["created_at"]),
  };
}
