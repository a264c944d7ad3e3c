import { type MemoryRecord, VERBATIM_KINDS } from "../../core/memory/record.ts";
import { scopeKey } from "../../core/memory/scope.ts";
import type { RestoreOutcome } from "../../core/ports/memory-store.ts";
import { findSame } from "./add-memory.ts";
import { contentKey, isForgotten } from "./content-key.ts";
import type { SqlConnection } from "./driver.ts";
import { insertMemory } from "./insert-memory.ts";
import { scopeOf } from "./scopes.ts";
import { markSuperseded, settleSubject } from "./settle-subject.ts";

/** Puts a record of another store in as it is. Call it inside a transaction. */
export function restoreMemory(connection: SqlConnection, record: MemoryRecord): RestoreOutcome {
  if (rowOf(connection, record.id) !== undefined) return "known";
  const scope = scopeOf(connection, scopeKey(record.scope));
  const key = contentKey(connection, scope.key, record.title, record.text);
  if (isForgotten(connection, scope, key, record.title, record.text)) return "forgotten";
  const holds = record.state === "active" || record.state === "candidate";
  if (holds && !VERBATIM_KINDS.has(record.kind) && findSame(connection, key, record.kind) !== undefined)
    return "known";
  const settled = settleSubject(connection, scope.number, record);
  const successor = record.supersededBy === undefined ? undefined : rowOf(connection, record.supersededBy);
  const row = insertMemory(connection, {
    record: { ...record, state: settled.state, validTo: settled.yieldsTo?.at ?? record.validTo },
    scope,
    subjectKey: settled.subjectKey,
    contentKey: key,
    supersededBy: settled.yieldsTo?.row ?? successor ?? null,
  });
  for (const old of settled.superseded) markSuperseded(connection, old.row, row, record.at);
  if (record.supersededBy !== undefined && successor === undefined)
    connection
      .prepare("INSERT INTO pending_successors(successor, memory) VALUES(?, ?)")
      .run(record.supersededBy, row);
  linkWaiting(connection, record.id, row);
  return "added";
}

function rowOf(connection: SqlConnection, id: string): number | undefined {
  return connection.prepare("SELECT id FROM memories WHERE uid = ?").get(id)?.["id"] as number | undefined;
}

/** Links what waited for this record as its successor. */
function linkWaiting(connection: SqlConnection, id: string, row: number): void {
  const { changes } = connection
    .prepare(
      "UPDATE memories SET superseded_by = ? WHERE id IN (SELECT memory FROM pending_successors WHERE successor = ?)",
    )
    .run(row, id);
  if (changes > 0) connection.prepare("DELETE FROM pending_successors WHERE successor = ?").run(id);
}
