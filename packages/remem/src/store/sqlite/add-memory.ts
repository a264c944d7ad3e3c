import { type MemoryState, type NewMemory, VERBATIM_KINDS } from "../../core/memory/record.ts";
import { scopeKey } from "../../core/memory/scope.ts";
import { resolveSubject, subjectKey } from "../../core/memory/supersession.ts";
import type { AddResult, Entry } from "../../core/ports/memory-store.ts";
import { textCues } from "../../core/text/cues.ts";
import { indexTerms, termVariety } from "../../core/text/index-terms.ts";
import { contentKey } from "./content-key.ts";
import type { SqlConnection, SqlValue } from "./driver.ts";
import { indexRow } from "./index-row.ts";
import { changeStatistics } from "./statistics.ts";
import { insertVector } from "./vector-rows.ts";

/** What adding needs of the world. */
export interface AddContext {
  readonly connection: SqlConnection;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Adds one memory. Call it inside a transaction. */
export function addMemory(context: AddContext, entry: Entry): AddResult {
  const { connection } = context;
  const { memory } = entry;
  const scopeText = scopeKey(memory.scope);
  const key = contentKey(connection, scopeText, memory.title ?? "", memory.text);
  if (connection.prepare("SELECT 1 AS found FROM tombstones WHERE content_key = ?").get(key) !== undefined)
    return { outcome: "forgotten" };
  if (!VERBATIM_KINDS.has(memory.kind)) {
    const known = connection
      .prepare("SELECT uid FROM memories WHERE content_key = ? AND kind = ? AND state <> 'superseded'")
      .get(key, memory.kind);
    if (known !== undefined) return { outcome: "known", id: String(known["uid"]) };
  }
  const scope = scopeNumber(connection, scopeText);
  const at = memory.at ?? context.now();
  const settled = settleSubject(connection, scope, memory, at);
  const row = insertObservation(connection, memory, at);
  const id = context.newId();
  insertMemory(context, { memory, row, id, scope, at, key, settled });
  for (const old of settled.superseded)
    connection
      .prepare("UPDATE memories SET state = 'superseded', valid_to = ?, superseded_by = ? WHERE id = ?")
      .run(at, row, old.row);
  if (entry.vector !== undefined)
    insertVector(connection, entry.vector.fingerprint, row, entry.vector.packed);
  return { outcome: "added", id, state: settled.state, superseded: settled.superseded.map((old) => old.id) };
}

interface KnownStatement {
  readonly row: number;
  readonly id: string;
  readonly at: number;
  readonly provenance: Pick<NewMemory["provenance"], "author" | "typed">;
}

interface Settled {
  readonly state: MemoryState;
  readonly subjectKey: string | null;
  readonly superseded: readonly KnownStatement[];
  readonly yieldsTo: KnownStatement | undefined;
}

function settleSubject(connection: SqlConnection, scope: number, memory: NewMemory, at: number): Settled {
  const subject = memory.subject === undefined ? "" : subjectKey(memory.subject);
  const asked = memory.state ?? "active";
  if (subject === "") return { state: asked, subjectKey: null, superseded: [], yieldsTo: undefined };
  if (asked === "candidate")
    return { state: asked, subjectKey: subject, superseded: [], yieldsTo: undefined };
  const known = connection
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
  const resolution = resolveSubject({ at, provenance: memory.provenance }, known);
  return {
    state: resolution.incoming,
    subjectKey: subject,
    superseded: resolution.superseded,
    yieldsTo: resolution.incoming === "superseded" ? resolution.yieldsTo : undefined,
  };
}

function insertObservation(connection: SqlConnection, memory: NewMemory, at: number): number {
  const project = memory.scope.kind === "global" ? "" : memory.scope.id;
  return connection
    .prepare(
      `INSERT INTO observations(session_id, project, title, type, text, source_files, created_at) VALUES(?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      memory.provenance.sessionId,
      project,
      memory.title ?? "",
      memory.kind,
      memory.text,
      JSON.stringify(memory.files ?? []),
      at,
    ).lastRow;
}

interface Placed {
  readonly memory: NewMemory;
  readonly row: number;
  readonly id: string;
  readonly scope: number;
  readonly at: number;
  readonly key: Uint8Array;
  readonly settled: Settled;
}

function insertMemory(
  { connection, now }: AddContext,
  { memory, row, id, scope, at, key, settled }: Placed,
): void {
  const { provenance } = memory;
  const session = sessionNumber(connection, provenance.sessionId, memory, at);
  const authorName = provenance.author.name ?? "";
  const found = indexTerms({
    title: memory.title ?? "",
    subject: memory.subject ?? "",
    text: memory.text,
    attachment: memory.attachment ?? "",
    files: memory.files ?? [],
    at,
    authorName,
  });
  const values: SqlValue[] = [
    row,
    id,
    scope,
    session.row,
    session.next,
    memory.kind,
    VERBATIM_KINDS.has(memory.kind) ? 1 : 0,
    at,
    settled.state,
    memory.subject ?? null,
    settled.subjectKey,
    memory.attachment ?? "",
    provenance.host,
    provenance.messageId ?? null,
    provenance.author.role,
    authorName,
    provenance.typed ? 1 : 0,
    now(),
    settled.yieldsTo?.at ?? null,
    settled.yieldsTo?.row ?? null,
    textCues(memory.text),
    termVariety(found),
    key,
  ];
  connection
    .prepare(
      `INSERT INTO memories(id, uid, scope, session, sequence, kind, said, said_at, state, subject, subject_key, attachment,
         host, message_id, author_role, author_name, typed, freshness, recorded_at, valid_to, superseded_by, cues, variety,
         content_key)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'current', ?, ?, ?, ?, ?, ?)`,
    )
    .run(...values);
  const terms = indexRow(connection, row, scope, found);
  changeStatistics(connection, { memories: 1, terms, sessions: session.next === 0 ? 1 : 0 });
}

/** The number of a scope, given to it when it is first met. */
export function scopeNumber(connection: SqlConnection, key: string): number {
  const known = connection.prepare("SELECT id FROM memory_scopes WHERE key = ?").get(key);
  if (known !== undefined) return Number(known["id"]);
  return connection.prepare("INSERT INTO memory_scopes(key) VALUES(?)").run(key).lastRow;
}

function sessionNumber(
  connection: SqlConnection,
  sessionId: string,
  memory: NewMemory,
  at: number,
): { readonly row: number; readonly next: number } {
  const known = connection.prepare("SELECT id FROM sessions WHERE session_id = ?").get(sessionId);
  if (known === undefined) {
    const project = memory.scope.kind === "global" ? "" : memory.scope.id;
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
