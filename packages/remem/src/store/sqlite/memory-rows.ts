import type {
  AuthorRole,
  Freshness,
  MemoryKind,
  MemoryRecord,
  MemoryState,
} from "../../core/memory/record.ts";
import { parseScopeKey } from "../../core/memory/scope.ts";
import type { RankingRow } from "../../core/ports/memory-store.ts";
import type { SqlConnection, SqlRow } from "./driver.ts";

const RECORD = `
SELECT m.id, m.uid, m.kind, s.key AS scope, o.title, o.text, m.attachment, o.source_files, m.subject, m.host, n.session_id,
  m.message_id, m.author_role, m.author_name, m.typed, m.said_at, m.recorded_at, m.valid_to, m.freshness, m.state,
  (SELECT later.uid FROM memories later WHERE later.id = m.superseded_by) AS superseded_by
FROM memories m JOIN observations o ON o.id = m.id JOIN memory_scopes s ON s.id = m.scope JOIN sessions n ON n.id = m.session`;

/** Reads records by any condition on `m` (memories), `o` (observations), `s` (scopes) and `n` (sessions). */
export function selectRecords(
  connection: SqlConnection,
  condition: string,
  values: readonly (string | number)[],
): MemoryRecord[] {
  return connection
    .prepare(`${RECORD} ${condition}`)
    .all(...values)
    .map(toRecord);
}

/** The records of store rows, by row. */
export function selectRecordsByRow(
  connection: SqlConnection,
  rows: readonly number[],
): Map<number, MemoryRecord> {
  return new Map(
    connection
      .prepare(`${RECORD} WHERE m.id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(rows))
      .map((row) => [row["id"] as number, toRecord(row)]),
  );
}

const text = (row: SqlRow, column: string): string => String(row[column]);
const optionalText = (row: SqlRow, column: string): string | undefined =>
  row[column] === null ? undefined : String(row[column]);

function toRecord(row: SqlRow): MemoryRecord {
  const messageId = optionalText(row, "message_id");
  const name = text(row, "author_name");
  const validTo = row["valid_to"];
  return {
    id: text(row, "uid"),
    kind: text(row, "kind") as MemoryKind,
    scope: parseScopeKey(text(row, "scope")),
    title: text(row, "title"),
    text: text(row, "text"),
    attachment: text(row, "attachment"),
    files: parseFiles(text(row, "source_files")),
    subject: optionalText(row, "subject"),
    provenance: {
      host: text(row, "host"),
      sessionId: text(row, "session_id"),
      ...(messageId === undefined ? {} : { messageId }),
      author: { role: text(row, "author_role") as AuthorRole, ...(name === "" ? {} : { name }) },
      typed: row["typed"] === 1,
    },
    at: Number(row["said_at"]),
    recordedAt: Number(row["recorded_at"]),
    validTo: validTo === null || validTo === undefined ? undefined : Number(validTo),
    freshness: text(row, "freshness") as Freshness,
    state: text(row, "state") as MemoryState,
    supersededBy: optionalText(row, "superseded_by"),
  };
}

/** Paths as other programs wrote them: a JSON array, or a list with commas. */
export function parseFiles(written: string): string[] {
  if (written.trim() === "") return [];
  try {
    const parsed: unknown = JSON.parse(written);
    if (Array.isArray(parsed)) return parsed.filter((entry) => typeof entry === "string");
  } catch {
    // No JSON: the list form below.
  }
  return written
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** The columns of a ranking row, from `m` (memories) and `t` (memory_terms). */
export const RANKING_COLUMNS = `m.id, m.session, m.sequence, m.said_at, m.kind, m.state, m.freshness, m.author_role,
  m.author_name, m.cues, m.variety, t.title, t.body, t.details, t.origin`;

/** A row of RANKING_COLUMNS. */
export function toRankingRow(row: SqlRow): RankingRow {
  return {
    row: row["id"] as number,
    session: row["session"] as number,
    sequence: row["sequence"] as number,
    at: row["said_at"] as number,
    kind: row["kind"] as MemoryKind,
    state: row["state"] as MemoryState,
    freshness: row["freshness"] as Freshness,
    authorRole: row["author_role"] as AuthorRole,
    authorName: row["author_name"] as string,
    cues: row["cues"] as number,
    variety: row["variety"] as number,
    title: row["title"] as string,
    body: row["body"] as string,
    details: row["details"] as string,
    origin: row["origin"] as string,
  };
}
