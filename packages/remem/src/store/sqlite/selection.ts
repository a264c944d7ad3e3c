import { scopeKey } from "../../core/memory/scope.ts";
import type { Selection } from "../../core/ports/memory-store.ts";
import type { SqlConnection } from "./driver.ts";
import { findScope } from "./scopes.ts";

/** The number of no scope. */
const NOWHERE = -1;

/** A selection as an SQL condition on `m` and `n`. Throws a RangeError for one that selects by nothing: nobody means everything by accident. */
export function selectionCondition(
  connection: SqlConnection,
  selection: Selection,
): {
  readonly condition: string;
  readonly values: (string | number)[];
} {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (part: string, value: string | number): void => {
    parts.push(part);
    values.push(value);
  };
  if (selection.ids !== undefined)
    add("m.uid IN (SELECT value FROM json_each(?))", JSON.stringify(selection.ids));
  if (selection.scope !== undefined)
    add("m.scope = ?", findScope(connection, scopeKey(selection.scope))?.number ?? NOWHERE);
  if (selection.sessionId !== undefined) add("n.session_id = ?", selection.sessionId);
  if (selection.from !== undefined) add("m.said_at >= ?", selection.from);
  if (selection.before !== undefined) add("m.said_at < ?", selection.before);
  if (selection.states !== undefined)
    add("m.state IN (SELECT value FROM json_each(?))", JSON.stringify(selection.states));
  if (selection.kinds !== undefined)
    add("m.kind IN (SELECT value FROM json_each(?))", JSON.stringify(selection.kinds));
  if (selection.pinned !== undefined) add("m.pinned = ?", selection.pinned ? 1 : 0);
  if (parts.length === 0)
    throw new RangeError("a selection of memories names nothing: give ids, a scope, a session or a time");
  return { condition: `WHERE ${parts.join(" AND ")}`, values };
}
