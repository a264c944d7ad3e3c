import type { Freshness } from "../../core/memory/record.ts";
import type { SqlConnection } from "./driver.ts";

/** Approves, sets aside or dates memories. Approving a statement supersedes what was said on its subject. Call it inside a transaction. */
export function markMemories(
  connection: SqlConnection,
  ids: readonly string[],
  change: { readonly state?: "active" | "candidate"; readonly freshness?: Freshness },
): number {
  let changed = 0;
  for (const id of ids) {
    const known = connection
      .prepare("SELECT id, scope, subject_key, said_at FROM memories WHERE uid = ?")
      .get(id);
    if (known === undefined) continue;
    changed++;
    const row = known["id"] as number;
    if (change.freshness !== undefined)
      connection.prepare("UPDATE memories SET freshness = ? WHERE id = ?").run(change.freshness, row);
    if (change.state === undefined) continue;
    if (change.state === "active" && known["subject_key"] !== null)
      connection
        .prepare(
          `UPDATE memories SET state = 'superseded', valid_to = ?, superseded_by = ?
           WHERE scope = ? AND subject_key = ? AND state = 'active' AND id <> ?`,
        )
        .run(known["said_at"]!, row, known["scope"]!, known["subject_key"]!, row);
    connection
      .prepare("UPDATE memories SET state = ?, valid_to = NULL, superseded_by = NULL WHERE id = ?")
      .run(change.state, row);
  }
  return changed;
}
