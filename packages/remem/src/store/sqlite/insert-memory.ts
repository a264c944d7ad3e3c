import { VERBATIM_KINDS } from "../../core/memory/record.ts";
import { textCues } from "../../core/text/cues.ts";
import { indexTerms, termVariety } from "../../core/text/index-terms.ts";
import type { SettledMemory } from "../shared/settled-memory.ts";
import { projectOf } from "../shared/stored-scope.ts";
import type { SqlConnection } from "./driver.ts";
import { indexRow } from "./index-row.ts";
import { changeStatistics } from "./statistics.ts";

/** Writes a memory down and indexes it; `observation` is its row when another program wrote that already. Gives its row. */
export function insertMemory(
  connection: SqlConnection,
  settled: SettledMemory,
  observation?: number,
): number {
  const { record, scope } = settled;
  const { provenance } = record;
  const row = observation ?? insertObservation(connection, settled);
  const session = sessionNumber(connection, provenance.sessionId, projectOf(scope), record.at);
  const authorName = provenance.author.name ?? "";
  const found = indexTerms({ ...record, subject: record.subject ?? "", authorName });
  connection
    .prepare(
      `INSERT INTO memories(id, uid, scope, session, sequence, kind, said, said_at, state, subject, subject_key, attachment,
         host, message_id, author_role, author_name, typed, freshness, recorded_at, valid_to, superseded_by, cues, variety,
         content_key, pinned)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row,
      record.id,
      scope.number,
      session.row,
      session.next,
      record.kind,
      VERBATIM_KINDS.has(record.kind) ? 1 : 0,
      record.at,
      record.state,
      record.subject ?? null,
      settled.subjectKey,
      record.attachment,
      provenance.host,
      provenance.messageId ?? null,
      provenance.author.role,
      authorName,
      provenance.typed ? 1 : 0,
      record.freshness,
      record.recordedAt,
      record.validTo ?? null,
      settled.supersededBy,
      textCues(record.text),
      termVariety(found),
      settled.contentKey,
      record.pinned ? 1 : 0,
    );
  const terms = indexRow(connection, row, scope.number, found);
  changeStatistics(connection, { memories: 1, terms, sessions: session.next === 0 ? 1 : 0 });
  return row;
}

function insertObservation(connection: SqlConnection, { record, scope }: SettledMemory): number {
  return connection
    .prepare(
      `INSERT INTO observations(session_id, project, title, type, text, source_files, created_at) VALUES(?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      record.provenance.sessionId,
      projectOf(scope),
      record.title,
      record.kind,
      record.text,
      JSON.stringify(record.files),
      record.at,
    ).lastRow;
}

function sessionNumber(
  connection: SqlConnection,
  sessionId: string,
  project: string,
  at: number,
): { readonly row: number; readonly next: number } {
  const known = connection.prepare("SELECT id FROM sessions WHERE session_id = ?").get(sessionId);
  if (known === undefined) {
    const row = connection
      .prepare("INSERT INTO sessions(session_id, project, started_at, status) VALUES(?, ?, ?, 'active')")
      .run(sessionId, project, at).lastRow;
    return { row, next: 0 };
  }
  const row = Number(known["id"]);
  const last = connection.prepare("SELECT max(sequence) AS last FROM memories WHERE session = ?").get(row)?.[
    "last"
  ];
  return { row, next: typeof last === "number" ? last + 1 : 0 };
}
