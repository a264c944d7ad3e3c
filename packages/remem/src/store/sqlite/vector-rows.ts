import type { StoredVector } from "../../core/ports/memory-store.ts";
import type { PackedVector } from "../../core/vectors/packed-vector.ts";
import type { SqlConnection } from "./driver.ts";

/** Stores a row's vector, in place of an older one of the same space. Gives whether there was an older one. */
export function insertVector(
  connection: SqlConnection,
  fingerprint: string,
  row: number,
  packed: PackedVector,
): boolean {
  const space = spaceNumber(connection, fingerprint);
  const replaced = connection
    .prepare("DELETE FROM memory_vectors WHERE space = ? AND memory = ?")
    .run(space, row).changes;
  connection
    .prepare("INSERT INTO memory_vectors(space, memory, scale, packed) VALUES(?, ?, ?, ?)")
    .run(
      space,
      row,
      packed.scale,
      new Uint8Array(packed.values.buffer, packed.values.byteOffset, packed.values.length),
    );
  return replaced > 0;
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
