import { type MemoryKind, VERBATIM_KINDS } from "../../core/memory/record.ts";
import { textCues } from "../../core/text/cues.ts";
import { indexTerms, termVariety } from "../../core/text/index-terms.ts";
import { scopeNumber } from "./add-memory.ts";
import { contentKey } from "./content-key.ts";
import type { SqlConnection, SqlRow } from "./driver.ts";
import { indexRow } from "./index-row.ts";
import { parseFiles } from "./memory-rows.ts";
import { changeStatistics } from "./statistics.ts";

const KINDS: ReadonlySet<string> = new Set([
  "prompt",
  "answer",
  "toolnote",
  "decision",
  "preference",
  "fact",
  "procedure",
  "task",
  "bugfix",
  "feature",
  "refactor",
  "discovery",
  "change",
  "lesson",
  "summary",
]);

/**
 * Makes observations that another program wrote findable, oldest first, at most `limit`; gives how many. They are taken for
 * what an agent wrote: nobody can tell that a person typed them. Call it inside a transaction.
 */
export function adoptObservations(
  connection: SqlConnection,
  limit: number,
  now: number,
  newId: () => string,
): number {
  const rows = connection
    .prepare(
      `SELECT o.* FROM observations o LEFT JOIN memories m ON m.id = o.id WHERE m.id IS NULL ORDER BY o.id LIMIT ?`,
    )
    .all(limit);
  for (const row of rows) adopt(connection, row, now, newId());
  return rows.length;
}

function adopt(connection: SqlConnection, row: SqlRow, now: number, uid: string): void {
  const text = (column: string): string => String(row[column] ?? "");
  const id = row["id"] as number;
  const project = text("project");
  const scopeText = project === "" ? "global" : `project:${project}`;
  const scope = scopeNumber(connection, scopeText);
  const at = milliseconds(row["created_at"]);
  const session = sessionOf(connection, text("session_id"), project, at);
  const kind = KINDS.has(text("type")) ? text("type") : "discovery";
  const found = indexTerms({
    title: text("title"),
    subject: "",
    text: text("text"),
    attachment: "",
    files: parseFiles(text("source_files")),
    at,
    authorName: "",
  });
  connection
    .prepare(
      `INSERT INTO memories(id, uid, scope, session, sequence, kind, said, said_at, state, attachment, host, author_role, author_name,
         typed, freshness, recorded_at, cues, variety, content_key)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, 'active', '', 'pi-go', 'agent', '', 0, 'unknown', ?, ?, ?, ?)`,
    )
    .run(
      id,
      uid,
      scope,
      session.row,
      session.sequence,
      kind,
      VERBATIM_KINDS.has(kind as MemoryKind) ? 1 : 0,
      at,
      now,
      textCues(text("text")),
      termVariety(found),
      contentKey(connection, scopeText, text("title"), text("text")),
    );
  const terms = indexRow(connection, id, scope, found);
  changeStatistics(connection, { memories: 1, terms, sessions: session.sequence === 0 ? 1 : 0 });
}

function sessionOf(
  connection: SqlConnection,
  sessionId: string,
  project: string,
  at: number,
): { readonly row: number; readonly sequence: number } {
  connection
    .prepare(
      "INSERT OR IGNORE INTO sessions(session_id, project, started_at, status) VALUES(?, ?, ?, 'ended')",
    )
    .run(sessionId, project, at);
  const row = Number(
    connection.prepare("SELECT id FROM sessions WHERE session_id = ?").get(sessionId)?.["id"],
  );
  const last = connection.prepare("SELECT max(sequence) AS last FROM memories WHERE session = ?").get(row)?.[
    "last"
  ];
  return { row, sequence: typeof last === "number" ? last + 1 : 0 };
}

/** A time as other programs wrote it: milliseconds, seconds, or text. */
function milliseconds(value: unknown): number {
  if (typeof value === "number") return value < 100_000_000_000 ? value * 1000 : value;
  const parsed = Date.parse(String(value));
  return Number.isNaN(parsed) ? 0 : parsed;
}
