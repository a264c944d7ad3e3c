import {
  type KnownStatement,
  type SettledSubject,
  type Statement,
  settleStatement,
  settlingKey,
} from "../shared/settle-statement.ts";
import type { PgSession } from "./database.ts";

/** Settles which statement on one subject holds in a scope. Changes nothing; see markSuperseded. */
export async function settleSubject(
  session: PgSession,
  scope: number,
  statement: Statement,
): Promise<SettledSubject> {
  const key = settlingKey(statement);
  return settleStatement(statement, key === null ? [] : await activeStatements(session, scope, key));
}

/** The statements on a subject that hold in a scope. */
export async function activeStatements(
  session: PgSession,
  scope: number,
  subject: string,
): Promise<KnownStatement[]> {
  const rows = await session.query(
    "SELECT id, uid, said_at, author_role, typed FROM memories WHERE scope = $1 AND subject_key = $2 AND state = 'active'",
    [scope, subject],
  );
  return rows.map((row) => ({
    row: Number(row["id"]),
    id: String(row["uid"]),
    at: Number(row["said_at"]),
    provenance: { author: { role: row["author_role"] as "user" }, typed: row["typed"] === true },
  }));
}

/** A statement no longer holds, since `at`, because of another. */
export async function markSuperseded(
  session: PgSession,
  row: number,
  successor: number,
  at: number,
): Promise<void> {
  await session.query(
    "UPDATE memories SET state = 'superseded', pinned = false, valid_to = $1, superseded_by = $2 WHERE id = $3",
    [at, successor, row],
  );
}
