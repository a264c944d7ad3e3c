import { isMemoryKind } from "../../core/memory/record.ts";
import { contentKey } from "./content-key.ts";
import type { SqlConnection, SqlRow } from "./driver.ts";
import { writtenTime } from "./foreign/written-time.ts";
import { insertMemory } from "./insert-memory.ts";
import { parseFiles } from "./memory-rows.ts";
import { scopeOf } from "./scopes.ts";
import { changeStatistics } from "./statistics.ts";

/**
 * Makes observations that another program wrote findable, oldest first, at most `limit`; gives how many. They are taken for
 * what an agent wrote: nobody can tell that a person typed them. Call it inside a transaction.
 */
export function adoptObservations(
  connection: SqlConnection,
  limit: number,
  now: number,
  newId: () => string,
): number {
  const rows = connection
    .prepare(
      `SELECT o.* FROM observations o LEFT JOIN memories m ON m.id = o.id WHERE m.id IS NULL ORDER BY o.id LIMIT ?`,
    )
    .all(limit);
  for (const row of rows) adopt(connection, row, now, newId());
  // Their rows may be older than those that other programs have loaded or counted.
  if (rows.length > 0) changeStatistics(connection, { erasures: 1 });
  return rows.length;
}

function adopt(connection: SqlConnection, row: SqlRow, now: number, id: string): void {
  const text = (column: string): string => String(row[column] ?? "");
  const project = text("project");
  const scope = scopeOf(connection, project === "" ? "global" : `project:${project}`);
  const type = text("type");
  insertMemory(
    connection,
    {
      record: {
        id,
        kind: isMemoryKind(type) ? type : "discovery",
        title: text("title"),
        text: text("text"),
        attachment: "",
        files: parseFiles(text("source_files")),
        subject: undefined,
        provenance: {
          host: "pi-go",
          sessionId: text("session_id"),
          author: { role: "agent" },
          typed: false,
        },
        at: writtenTime(row["created_at"]),
        recordedAt: now,
        validTo: undefined,
        freshness: "unknown",
        state: "active",
        pinned: false,
      },
      scope,
      subjectKey: null,
      contentKey: contentKey(connection, scope.key, text("title"), text("text")),
      supersededBy: null,
    },
    row["id"] as number,
  );
}
