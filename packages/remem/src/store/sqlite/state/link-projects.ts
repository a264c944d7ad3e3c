import type { MemoryKind } from "../../../core/memory/record.ts";
import { VERBATIM_KINDS } from "../../../core/memory/record.ts";
import { scopeKey } from "../../../core/memory/scope.ts";
import { resolveSubject } from "../../../core/memory/supersession.ts";
import type { StoredScope } from "../../shared/stored-scope.ts";
import { findSame } from "../add-memory.ts";
import { contentKey } from "../content-key.ts";
import type { SqlConnection } from "../driver.ts";
import { moveRow } from "../index-row.ts";
import { findScope, scopeOf } from "../scopes.ts";
import { activeStatements, markSuperseded } from "../settle-subject.ts";
import { changeStatistics } from "../statistics.ts";

/** Makes two projects one; gives how many memories moved. What was and will be said in the name of `from` is said in that of `into`. Call it inside a transaction. */
export function linkProjects(connection: SqlConnection, from: string, into: string): number {
  const [old, current] = [from, into].map((id) => scopeKey({ kind: "project", id })) as [string, string];
  const target = scopeOf(connection, current);
  const source = findScope(connection, old);
  if (source?.number === target.number || old === current) return 0;
  const moved = source === undefined ? 0 : moveMemories(connection, source, target);
  if (source !== undefined) {
    connection.prepare("UPDATE scope_links SET scope = ? WHERE scope = ?").run(target.number, source.number);
    connection.prepare("DELETE FROM memory_scopes WHERE id = ?").run(source.number);
  }
  connection.prepare("INSERT OR REPLACE INTO scope_links(key, scope) VALUES(?, ?)").run(old, target.number);
  for (const table of ["observations", "sessions", "session_summaries"])
    connection.prepare(`UPDATE ${table} SET project = ? WHERE project = ?`).run(into, from);
  connection
    .prepare(
      `UPDATE project_aliases SET project = (SELECT id FROM projects WHERE key = ?)
       WHERE project = (SELECT id FROM projects WHERE key = ?) AND EXISTS (SELECT 1 FROM projects WHERE key = ?)`,
    )
    .run(into, from, into);
  connection
    .prepare("DELETE FROM projects WHERE key = ? AND EXISTS (SELECT 1 FROM projects WHERE key = ?)")
    .run(from, into);
  return moved;
}

function moveMemories(connection: SqlConnection, source: StoredScope, target: StoredScope): number {
  const rows = connection
    .prepare(
      `SELECT m.id, m.uid, m.kind, m.state, m.subject_key, m.said_at, m.author_role, m.typed, o.title, o.text
       FROM memories m JOIN observations o ON o.id = m.id WHERE m.scope = ? ORDER BY m.id`,
    )
    .all(source.number);
  for (const found of rows) {
    const row = found["id"] as number;
    const at = Number(found["said_at"]);
    const key = contentKey(connection, target.key, String(found["title"]), String(found["text"]));
    const kind = found["kind"] as MemoryKind;
    const same = VERBATIM_KINDS.has(kind) ? undefined : findSame(connection, key, kind);
    const others =
      found["subject_key"] === null
        ? []
        : activeStatements(connection, target.number, String(found["subject_key"]));
    connection
      .prepare("UPDATE memories SET scope = ?, content_key = ? WHERE id = ?")
      .run(target.number, key, row);
    moveRow(connection, row, target.number);
    if (found["state"] !== "active") continue;
    if (same !== undefined) {
      const twin = connection.prepare("SELECT id FROM memories WHERE uid = ?").get(same)?.["id"] as number;
      markSuperseded(connection, row, twin, at);
      continue;
    }
    const provenance = {
      author: { role: found["author_role"] as "user" },
      typed: found["typed"] === 1,
    };
    const { incoming, superseded, yieldsTo } = resolveSubject({ at, provenance }, others);
    if (yieldsTo !== undefined && incoming === "superseded")
      markSuperseded(connection, row, yieldsTo.row, yieldsTo.at);
    else if (incoming === "candidate")
      connection.prepare("UPDATE memories SET state = 'candidate' WHERE id = ?").run(row);
    for (const other of superseded) markSuperseded(connection, other.row, row, at);
  }
  // Vectors that were loaded carry the scope.
  if (rows.length > 0) changeStatistics(connection, { erasures: 1 });
  return rows.length;
}
