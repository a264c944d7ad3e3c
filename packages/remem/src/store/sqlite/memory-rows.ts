import {
  type AuthorRole,
  type Freshness,
  isMemoryKind,
  type MemoryRecord,
  type MemoryState,
} from "../../core/memory/record.ts";
import { tryParseScopeKey } from "../../core/memory/scope.ts";
import type { Part } from "../../core/ports/memory-store.ts";
import type { SqlConnection, SqlRow } from "./driver.ts";

const RECORD = `
SELECT m.id, m.uid, m.kind, s.key AS scope, o.title, o.text, m.attachment, o.source_files, m.subject, m.host, n.session_id,
  m.message_id, m.author_role, m.author_name, m.typed, m.said_at, m.recorded_at, m.valid_to, m.freshness, m.state, m.pinned,
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
    .flatMap((row) => toRecord(row) ?? []);
}

/** The records of store rows, by row. */
export function selectRecordsByRow(
  connection: SqlConnection,
  rows: readonly number[],
): Map<number, MemoryRecord> {
  const found = connection
    .prepare(`${RECORD} WHERE m.id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(rows));
  return new Map(
    found.flatMap((row): [number, MemoryRecord][] => {
      const record = toRecord(row);
      return record === undefined ? [] : [[row["id"] as number, record]];
    }),
  );
}

/** Records in the order they were written. */
export function scanRecords(connection: SqlConnection, after: number, limit: number): Part<MemoryRecord> {
  const rows = connection.prepare(`${RECORD} WHERE m.id > ? ORDER BY m.id LIMIT ?`).all(after, limit);
  return { items: rows.flatMap((row) => toRecord(row) ?? []), next: nextPart(rows, limit) };
}

/** Where the next part begins: after the last row of a full one. */
export function nextPart(rows: readonly SqlRow[], limit: number): number | null {
  return rows.length < limit ? null : Number(rows.at(-1)?.["id"]);
}

const text = (row: SqlRow, column: string): string => String(row[column]);
const optionalText = (row: SqlRow, column: string): string | undefined =>
  row[column] === null ? undefined : String(row[column]);

/** Undefined for a row whose scope or kind no version of the engine wrote: nobody can say who may see it. `check` tells of it. */
function toRecord(row: SqlRow): MemoryRecord | undefined {
  const scope = tryParseScopeKey(text(row, "scope"));
  const kind = text(row, "kind");
  if (scope === undefined || !isMemoryKind(kind)) return undefined;
  const messageId = optionalText(row, "message_id");
  const name = text(row, "author_name");
  const validTo = row["valid_to"];
  return {
    id: text(row, "uid"),
    kind,
    scope,
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
    pinned: row["pinned"] === 1,
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
