import type { MemoryChange } from "../../core/ports/memory-store.ts";
import type { SqlConnection } from "./driver.ts";
import { activeStatements, markSuperseded } from "./settle-subject.ts";

/** Approves, pins or dates memories; gives how many there were. Approving a statement supersedes what holds on its subject. Call it inside a transaction. */
export function markMemories(
  connection: SqlConnection,
  ids: readonly string[],
  change: MemoryChange,
  now: number,
): number {
  let changed = 0;
  for (const id of ids) {
    const known = connection.prepare("SELECT id, scope, subject_key FROM memories WHERE uid = ?").get(id);
    if (known === undefined) continue;
    changed++;
    const row = known["id"] as number;
    if (change.freshness !== undefined)
      connection.prepare("UPDATE memories SET freshness = ? WHERE id = ?").run(change.freshness, row);
    if (change.state !== undefined) {
      if (change.state === "active" && known["subject_key"] !== null)
        for (const other of activeStatements(
          connection,
          known["scope"] as number,
          String(known["subject_key"]),
        ))
          if (other.row !== row) markSuperseded(connection, other.row, row, now);
      connection
        .prepare("UPDATE memories SET state = ?, valid_to = NULL, superseded_by = NULL WHERE id = ?")
        .run(change.state, row);
    }
    if (change.pinned !== undefined)
      connection.prepare("UPDATE memories SET pinned = ? WHERE id = ?").run(change.pinned ? 1 : 0, row);
  }
  return changed;
}
