import {
  type AuthorRole,
  type Freshness,
  isMemoryKind,
  type MemoryRecord,
  type MemoryState,
} from "../../core/memory/record.ts";
import { tryParseScopeKey } from "../../core/memory/scope.ts";
import type { Part } from "../../core/ports/memory-store.ts";
import type { PgRow, PgSession, PgValue } from "./database.ts";

const RECORD = `
SELECT m.id, m.uid, m.kind, m.title, m.body, m.attachment, m.files, m.subject, m.host, m.message_id, m.author_role,
  m.author_name, m.typed, m.said_at, m.recorded_at, m.valid_to, m.freshness, m.state, m.pinned, s.key AS scope_key,
  n.session_id, later.uid AS later_uid
FROM memories m JOIN scopes s ON s.id = m.scope JOIN sessions n ON n.id = m.session
LEFT JOIN memories later ON later.id = m.superseded_by`;

/** Reads records by any condition on `m` (memories), `s` (scopes) and `n` (sessions). */
export async function selectRecords(
  session: PgSession,
  condition: string,
  values: readonly PgValue[],
): Promise<{ readonly row: number; readonly record: MemoryRecord }[]> {
  const rows = await session.query(`${RECORD} ${condition}`, values);
  return rows.flatMap((row) => {
    const record = toRecord(row);
    return record === undefined ? [] : [{ row: Number(row["id"]), record }];
  });
}

/** Records in the order they were written. */
export async function scanRecords(
  session: PgSession,
  after: number,
  limit: number,
): Promise<Part<MemoryRecord>> {
  const rows = await session.query(`${RECORD} WHERE m.id > $1 ORDER BY m.id LIMIT $2`, [after, limit]);
  return {
    items: rows.flatMap((row) => toRecord(row) ?? []),
    next: rows.length < limit ? null : Number(rows.at(-1)?.["id"]),
  };
}

const text = (row: PgRow, column: string): string => String(row[column]);
const optionalText = (row: PgRow, column: string): string | undefined =>
  row[column] === null ? undefined : String(row[column]);

/** Undefined for a row whose scope or kind no version of the engine wrote: nobody can say who may see it. `check` tells of it. */
function toRecord(row: PgRow): MemoryRecord | undefined {
  const scope = tryParseScopeKey(text(row, "scope_key"));
  const kind = text(row, "kind");
  if (scope === undefined || !isMemoryKind(kind)) return undefined;
  const messageId = optionalText(row, "message_id");
  const name = text(row, "author_name");
  return {
    id: text(row, "uid"),
    kind,
    scope,
    title: text(row, "title"),
    text: text(row, "body"),
    attachment: text(row, "attachment"),
    files: row["files"] as string[],
    subject: optionalText(row, "subject"),
    provenance: {
      host: text(row, "host"),
      sessionId: text(row, "session_id"),
      ...(messageId === undefined ? {} : { messageId }),
      author: { role: text(row, "author_role") as AuthorRole, ...(name === "" ? {} : { name }) },
      typed: row["typed"] === true,
    },
    at: Number(row["said_at"]),
    recordedAt: Number(row["recorded_at"]),
    validTo: row["valid_to"] === null ? undefined : Number(row["valid_to"]),
    freshness: text(row, "freshness") as Freshness,
    state: text(row, "state") as MemoryState,
    pinned: row["pinned"] === true,
    supersededBy: optionalText(row, "later_uid"),
  };
}
