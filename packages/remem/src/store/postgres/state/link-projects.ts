import { type MemoryKind, VERBATIM_KINDS } from "../../../core/memory/record.ts";
import { scopeKey } from "../../../core/memory/scope.ts";
import { resolveSubject } from "../../../core/memory/supersession.ts";
import type { StoredScope } from "../../shared/stored-scope.ts";
import { contentKey, findSame } from "../content-key.ts";
import type { PgSession } from "../database.ts";
import { findScopes, scopeOf } from "../scopes.ts";
import { activeStatements, markSuperseded } from "../settle-subject.ts";
import { changeStatistics } from "../statistics.ts";

/** Makes two projects one; gives how many memories moved. What was and will be said in the name of `from` is said in that of `into`. */
export async function linkProjects(session: PgSession, from: string, into: string): Promise<number> {
  const [old, current] = [from, into].map((id) => scopeKey({ kind: "project", id })) as [string, string];
  const target = await scopeOf(session, current);
  const [source] = await findScopes(session, [old]);
  if (source?.number === target.number || old === current) return 0;
  const moved = source === undefined ? 0 : await moveMemories(session, source, target);
  if (source !== undefined) {
    await session.query("UPDATE scope_links SET scope = $1 WHERE scope = $2", [target.number, source.number]);
    await session.query("DELETE FROM scopes WHERE id = $1", [source.number]);
  }
  await session.query(
    "INSERT INTO scope_links(key, scope) VALUES($1, $2) ON CONFLICT(key) DO UPDATE SET scope = excluded.scope",
    [old, target.number],
  );
  for (const table of ["sessions", "session_summaries"])
    await session.query(`UPDATE ${table} SET project = $1 WHERE project = $2`, [into, from]);
  await session.query(
    `UPDATE project_aliases SET project = kept.id FROM projects kept, projects gone
     WHERE kept.key = $1 AND gone.key = $2 AND project = gone.id`,
    [into, from],
  );
  await session.query(
    "DELETE FROM projects WHERE key = $1 AND EXISTS (SELECT 1 FROM projects WHERE key = $2)",
    [from, into],
  );
  return moved;
}

async function moveMemories(session: PgSession, source: StoredScope, target: StoredScope): Promise<number> {
  const rows = await session.query(
    "SELECT id, kind, state, subject_key, said_at, author_role, typed, title, body FROM memories WHERE scope = $1 ORDER BY id",
    [source.number],
  );
  for (const found of rows) {
    const row = Number(found["id"]);
    const at = Number(found["said_at"]);
    const key = await contentKey(session, target.key, String(found["title"]), String(found["body"]));
    const kind = found["kind"] as MemoryKind;
    const same = VERBATIM_KINDS.has(kind) ? undefined : await findSame(session, key, kind);
    const others =
      found["subject_key"] === null
        ? []
        : await activeStatements(session, target.number, String(found["subject_key"]));
    await session.query("UPDATE memories SET scope = $1, content_key = $2 WHERE id = $3", [
      target.number,
      key,
      row,
    ]);
    if (found["state"] !== "active") continue;
    if (same !== undefined) {
      const [twin] = await session.query("SELECT id FROM memories WHERE uid = $1", [same]);
      await markSuperseded(session, row, Number(twin?.["id"]), at);
      continue;
    }
    const provenance = { author: { role: found["author_role"] as "user" }, typed: found["typed"] === true };
    const { incoming, superseded, yieldsTo } = resolveSubject({ at, provenance }, others);
    if (yieldsTo !== undefined && incoming === "superseded")
      await markSuperseded(session, row, yieldsTo.row, yieldsTo.at);
    else if (incoming === "candidate")
      await session.query("UPDATE memories SET state = 'candidate' WHERE id = $1", [row]);
    for (const other of superseded) await markSuperseded(session, other.row, row, at);
  }
  // Vectors that were loaded carry the scope.
  if (rows.length > 0) await changeStatistics(session, { erasures: 1 });
  return rows.length;
}
