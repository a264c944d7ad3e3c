import { VERBATIM_KINDS } from "../../core/memory/record.ts";
import { textCues } from "../../core/text/cues.ts";
import { type IndexTerms, indexTerms, termCount, termVariety } from "../../core/text/index-terms.ts";
import type { SettledMemory } from "../shared/settled-memory.ts";
import { projectOf } from "../shared/stored-scope.ts";
import type { PgSession } from "./database.ts";
import { changeStatistics } from "./statistics.ts";
import { storable } from "./storable-text.ts";

const COLUMNS = [
  "uid",
  "scope",
  "session",
  "sequence",
  "kind",
  "said",
  "said_at",
  "state",
  "title",
  "body",
  "attachment",
  "files",
  "subject",
  "subject_key",
  "host",
  "message_id",
  "author_role",
  "author_name",
  "typed",
  "freshness",
  "recorded_at",
  "valid_to",
  "superseded_by",
  "pinned",
  "cues",
  "variety",
  "content_key",
  "title_terms",
  "body_terms",
  "details_terms",
  "origin_terms",
  "terms",
] as const;
const INSERT = `INSERT INTO memories(${COLUMNS.join(", ")}) VALUES(${COLUMNS.map((_, index) => `$${index + 1}`).join(", ")}) RETURNING id`;

/** Writes a memory down and counts its terms. Gives its row. */
export async function insertMemory(session: PgSession, settled: SettledMemory): Promise<number> {
  const { record, scope } = settled;
  const { provenance } = record;
  const place = await placeInSession(session, provenance.sessionId, projectOf(scope), record.at);
  const authorName = provenance.author.name ?? "";
  const found = indexTerms({ ...record, subject: record.subject ?? "", authorName });
  const [row] = await session.query(INSERT, [
    record.id,
    scope.number,
    place.session,
    place.next,
    record.kind,
    VERBATIM_KINDS.has(record.kind),
    record.at,
    record.state,
    storable(record.title),
    storable(record.text),
    storable(record.attachment),
    record.files.map(storable),
    record.subject === undefined ? null : storable(record.subject),
    settled.subjectKey,
    provenance.host,
    provenance.messageId ?? null,
    provenance.author.role,
    storable(authorName),
    provenance.typed,
    record.freshness,
    record.recordedAt,
    record.validTo ?? null,
    settled.supersededBy,
    record.pinned,
    textCues(record.text),
    termVariety(found),
    settled.contentKey,
    found.title,
    found.body,
    found.details,
    found.origin,
    differentTerms(found),
  ]);
  await countTerms(session, differentTerms(found), 1);
  await changeStatistics(session, {
    memories: 1,
    terms: termCount(found),
    sessions: place.next === 0 ? 1 : 0,
  });
  return Number(row?.["id"]);
}

/** Notes that so many more (or fewer) memories have each of these terms; each as often as it is named. */
export async function countTerms(session: PgSession, terms: readonly string[], by: 1 | -1): Promise<void> {
  // In one order, so that two writers never wait for each other.
  await session.query(
    `INSERT INTO term_counts(term, documents)
       SELECT term, count(*) * $2::int FROM unnest($1::text[]) AS term GROUP BY term ORDER BY term
     ON CONFLICT(term) DO UPDATE SET documents = term_counts.documents + excluded.documents`,
    [terms, by],
  );
  if (by < 0)
    await session.query("DELETE FROM term_counts WHERE term = ANY($1::text[]) AND documents <= 0", [terms]);
}

function differentTerms({ title, body, details, origin }: IndexTerms): string[] {
  return [...new Set(`${title} ${body} ${details} ${origin}`.split(" "))]
    .filter((term) => term !== "")
    .sort();
}

async function placeInSession(
  session: PgSession,
  sessionId: string,
  project: string,
  at: number,
): Promise<{ readonly session: number; readonly next: number }> {
  const [known] = await session.query(
    `SELECT s.id, (SELECT max(sequence) FROM memories m WHERE m.session = s.id) AS last FROM sessions s WHERE session_id = $1`,
    [sessionId],
  );
  if (known === undefined) {
    const [made] = await session.query(
      "INSERT INTO sessions(session_id, project, started_at, status) VALUES($1, $2, $3, 'active') RETURNING id",
      [sessionId, project, at],
    );
    return { session: Number(made?.["id"]), next: 0 };
  }
  return { session: Number(known["id"]), next: known["last"] === null ? 0 : Number(known["last"]) + 1 };
}
