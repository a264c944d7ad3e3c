import type { CorrectionRecord } from "../../../core/ports/engine-state.ts";
import type { SqlConnection } from "../driver.ts";

/** Adds (`expected` null) or changes a correction; false when it is not at revision `expected`. Call it inside a transaction. */
export function putCorrection(
  connection: SqlConnection,
  correction: CorrectionRecord,
  expected: number | null,
): boolean {
  const { id, revision, state, at, sessionId } = correction;
  const content = JSON.stringify(correction);
  const { changes } =
    expected === null
      ? connection
          .prepare(
            `INSERT INTO corrections(id, revision, state, said_at, session_id, content) VALUES(?, ?, ?, ?, ?, ?)
             ON CONFLICT(id) DO NOTHING`,
          )
          .run(id, revision, state, at, sessionId, content)
      : connection
          .prepare(
            `UPDATE corrections SET revision = ?, state = ?, said_at = ?, session_id = ?, content = ?
             WHERE id = ? AND revision = ?`,
          )
          .run(revision, state, at, sessionId, content, id, expected);
  return changes > 0;
}

/** Corrections in one of these states, newest first. */
export function selectCorrections(
  connection: SqlConnection,
  states: readonly CorrectionRecord["state"][],
  limit: number,
): CorrectionRecord[] {
  return connection
    .prepare(
      `SELECT content FROM corrections WHERE state IN (SELECT value FROM json_each(?)) ORDER BY said_at DESC, id DESC LIMIT ?`,
    )
    .all(JSON.stringify(states), limit)
    .map((row) => JSON.parse(String(row["content"])) as CorrectionRecord);
}
