import {
  type KnownStatement,
  type SettledSubject,
  type Statement,
  settleStatement,
  settlingKey,
} from "../shared/settle-statement.ts";
import type { SqlConnection } from "./driver.ts";

/** Settles which statement on one subject holds in a scope. Changes nothing; see markSuperseded. */
export function settleSubject(
  connection: SqlConnection,
  scope: number,
  statement: Statement,
): SettledSubject {
  const key = settlingKey(statement);
  return settleStatement(statement, key === null ? [] : activeStatements(connection, scope, key));
}

/** The statements on a subject that hold in a scope. */
export function activeStatements(
  connection: SqlConnection,
  scope: number,
  subject: string,
): KnownStatement[] {
  return connection
    .prepare(
      `SELECT id, uid, said_at, author_role, typed FROM memories WHERE scope = ? AND subject_key = ? AND state = 'active'`,
    )
    .all(scope, subject)
    .map(
      (row): KnownStatement => ({
        row: Number(row["id"]),
        id: String(row["uid"]),
        at: Number(row["said_at"]),
        provenance: { author: { role: row["author_role"] as "user" }, typed: row["typed"] === 1 },
      }),
    );
}

/** A statement no longer holds, since `at`, because of another. */
export function markSuperseded(connection: SqlConnection, row: number, successor: number, at: number): void {
  connection
    .prepare(
      "UPDATE memories SET state = 'superseded', pinned = 0, valid_to = ?, superseded_by = ? WHERE id = ?",
    )
    .run(at, successor, row);
}
