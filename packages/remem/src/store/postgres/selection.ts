import { scopeKey } from "../../core/memory/scope.ts";
import type { Selection } from "../../core/ports/memory-store.ts";
import type { PgSession, PgValue } from "./database.ts";
import { findScopes } from "./scopes.ts";

/** A selection as an SQL condition on `m` and `n`. Throws a RangeError for one that selects by nothing: nobody means everything by accident. */
export async function selectionCondition(
  session: PgSession,
  selection: Selection,
): Promise<{ readonly condition: string; readonly values: PgValue[] }> {
  const parts: string[] = [];
  const values: PgValue[] = [];
  const add = (part: string, value: PgValue): void => {
    values.push(value);
    parts.push(part.replace("?", `$${values.length}`));
  };
  if (selection.ids !== undefined) add("m.uid = ANY(?::text[])", selection.ids);
  if (selection.scope !== undefined)
    add(
      "m.scope = ANY(?::int[])",
      (await findScopes(session, [scopeKey(selection.scope)])).map(({ number }) => number),
    );
  if (selection.sessionId !== undefined) add("n.session_id = ?", selection.sessionId);
  if (selection.from !== undefined) add("m.said_at >= ?", selection.from);
  if (selection.before !== undefined) add("m.said_at < ?", selection.before);
  if (selection.states !== undefined) add("m.state = ANY(?::text[])", selection.states);
  if (selection.kinds !== undefined) add("m.kind = ANY(?::text[])", selection.kinds);
  if (selection.pinned !== undefined) add("m.pinned = ?", selection.pinned);
  if (parts.length === 0)
    throw new RangeError("a selection of memories names nothing: give ids, a scope, a session or a time");
  return { condition: `WHERE ${parts.join(" AND ")}`, values };
}
