import type { StoredVector } from "../../core/ports/memory-store.ts";
import type { PackedVector } from "../../core/vectors/packed-vector.ts";
import type { SqlConnection } from "./driver.ts";
import { changeStatistics } from "./statistics.ts";

/** Stores a row's vector, in place of an older one of the same space. */
export function insertVector(
  connection: SqlConnection,
  fingerprint: string,
  row: number,
  packed: PackedVector,
): void {
  const space = spaceNumber(connection, fingerprint);
  connection
    .prepare("INSERT OR REPLACE INTO memory_vectors(space, memory, scale, packed) VALUES(?, ?, ?, ?)")
    .run(
      space,
      row,
      packed.scale,
      new Uint8Array(packed.values.buffer, packed.values.byteOffset, packed.values.length),
    );
}

/** Removes a space and its vectors; gives how many there were. Readers that have them loaded notice it. Call it inside a transaction. */
export function removeVectors(connection: SqlConnection, fingerprint: string): number {
  const removed = connection
    .prepare(
      "DELETE FROM memory_vectors WHERE space = (SELECT id FROM embedding_spaces WHERE fingerprint = ?)",
    )
    .run(fingerprint).changes;
  connection.prepare("DELETE FROM embedding_spaces WHERE fingerprint = ?").run(fingerprint);
  if (removed > 0) changeStatistics(connection, { erasures: 1 });
  return removed;
}

/** The vectors of a space with a row number above `after`, ascending. */
export function selectVectors(connection: SqlConnection, fingerprint: string, after: number): StoredVector[] {
  return connection
    .prepare(
      `SELECT v.memory, v.scale, v.packed, m.scope FROM memory_vectors v JOIN memories m ON m.id = v.memory
       WHERE v.space = (SELECT id FROM embedding_spaces WHERE fingerprint = ?) AND v.memory > ? ORDER BY v.memory`,
    )
    .all(fingerprint, after)
    .map((row) => {
      const bytes = row["packed"] as Uint8Array;
      return {
        row: row["memory"] as number,
        scope: row["scope"] as number,
        packed: {
          values: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
          scale: row["scale"] as number,
        },
      };
    });
}

function spaceNumber(connection: SqlConnection, fingerprint: string): number {
  const known = connection.prepare("SELECT id FROM embedding_spaces WHERE fingerprint = ?").get(fingerprint);
  if (known !== undefined) return Number(known["id"]);
  return connection.prepare("INSERT INTO embedding_spaces(fingerprint) VALUES(?)").run(fingerprint).lastRow;
}
