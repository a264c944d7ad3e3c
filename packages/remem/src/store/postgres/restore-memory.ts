import { type MemoryRecord, VERBATIM_KINDS } from "../../core/memory/record.ts";
import { scopeKey } from "../../core/memory/scope.ts";
import type { RestoreOutcome } from "../../core/ports/memory-store.ts";
import { contentKey, findSame, isForgotten } from "./content-key.ts";
import type { PgSession } from "./database.ts";
import { insertMemory } from "./insert-memory.ts";
import { scopeOf } from "./scopes.ts";
import { markSuperseded, settleSubject } from "./settle-subject.ts";

/** Puts a record of another store in as it is. Call it in a transaction that holds the store's lock. */
export async function restoreMemory(session: PgSession, record: MemoryRecord): Promise<RestoreOutcome> {
  if ((await rowOf(session, record.id)) !== undefined) return "known";
  const scope = await scopeOf(session, scopeKey(record.scope));
  const key = await contentKey(session, scope.key, record.title, record.text);
  if (await isForgotten(session, scope, key, record.title, record.text)) return "forgotten";
  const holds = record.state === "active" || record.state === "candidate";
  if (holds && !VERBATIM_KINDS.has(record.kind) && (await findSame(session, key, record.kind)) !== undefined)
    return "known";
  const settled = await settleSubject(session, scope.number, record);
  const successor = record.supersededBy === undefined ? undefined : await rowOf(session, record.supersededBy);
  const row = await insertMemory(session, {
    record: { ...record, state: settled.state, validTo: settled.yieldsTo?.at ?? record.validTo },
    scope,
    subjectKey: settled.subjectKey,
    contentKey: key,
    supersededBy: settled.yieldsTo?.row ?? successor ?? null,
  });
  for (const old of settled.superseded) await markSuperseded(session, old.row, row, record.at);
  if (record.supersededBy !== undefined && successor === undefined)
    await session.query("INSERT INTO pending_successors(successor, memory) VALUES($1, $2)", [
      record.supersededBy,
      row,
    ]);
  await linkWaiting(session, record.id, row);
  return "added";
}

async function rowOf(session: PgSession, id: string): Promise<number | undefined> {
  const [row] = await session.query("SELECT id FROM memories WHERE uid = $1", [id]);
  return row === undefined ? undefined : Number(row["id"]);
}

/** Links what waited for this record as its successor. */
async function linkWaiting(session: PgSession, id: string, row: number): Promise<void> {
  const changed = await session.change(
    "UPDATE memories SET superseded_by = $1 WHERE id IN (SELECT memory FROM pending_successors WHERE successor = $2)",
    [row, id],
  );
  if (changed > 0) await session.query("DELETE FROM pending_successors WHERE successor = $1", [id]);
}
