import { scopeKey } from "../../core/memory/scope.ts";
import type { Selection } from "../../core/ports/memory-store.ts";

/** A selection as an SQL condition on `m`, `s` and `n`. Throws a RangeError for one that selects by nothing: nobody means everything by accident. */
export function selectionCondition(selection: Selection): {
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
  if (selection.scope !== undefined) add("s.key = ?", scopeKey(selection.scope));
  if (selection.sessionId !== undefined) add("n.session_id = ?", selection.sessionId);
  if (selection.from !== undefined) add("m.said_at >= ?", selection.from);
  if (selection.before !== undefined) add("m.said_at < ?", selection.before);
  if (selection.states !== undefined)
    add("m.state IN (SELECT value FROM json_each(?))", JSON.stringify(selection.states));
  if (selection.kinds !== undefined)
    add("m.kind IN (SELECT value FROM json_each(?))", JSON.stringify(selection.kinds));
  if (parts.length === 0)
    throw new RangeError("a selection of memories names nothing: give ids, a scope, a session or a time");
  return { condition: `WHERE ${parts.join(" AND ")}`, values };
}
