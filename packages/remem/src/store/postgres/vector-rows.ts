import type { StoredVector } from "../../core/ports/memory-store.ts";
import type { PackedVector } from "../../core/vectors/packed-vector.ts";
import type { PgRow, PgSession } from "./database.ts";
import { changeStatistics } from "./statistics.ts";

/** Stores a row's vector, in place of an older one of the same space. */
export async function putVector(
  session: PgSession,
  vectorType: boolean,
  fingerprint: string,
  row: number,
  { values, scale }: PackedVector,
): Promise<void> {
  const space = await spaceNumber(session, fingerprint);
  await session.query("DELETE FROM memory_vectors WHERE space = $1 AND memory = $2", [space, row]);
  const packed = new Uint8Array(values.buffer, values.byteOffset, values.length);
  if (vectorType)
    await session.query(
      "INSERT INTO memory_vectors(space, memory, scale, packed, embedding) VALUES($1, $2, $3, $4, $5)",
      [space, row, scale, packed, `[${values.join(",")}]`],
    );
  else
    await session.query("INSERT INTO memory_vectors(space, memory, scale, packed) VALUES($1, $2, $3, $4)", [
      space,
      row,
      scale,
      packed,
    ]);
}

/** Removes a space and its vectors; gives how many there were. Readers that have them loaded notice it. */
export async function removeVectors(session: PgSession, fingerprint: string): Promise<number> {
  const removed = await session.change(
    "DELETE FROM memory_vectors WHERE space = (SELECT id FROM embedding_spaces WHERE fingerprint = $1)",
    [fingerprint],
  );
  await session.query("DELETE FROM embedding_spaces WHERE fingerprint = $1", [fingerprint]);
  if (removed > 0) await changeStatistics(session, { erasures: 1 });
  return removed;
}

/** The vectors of a space with a row number above `after`, ascending, and the count of erasures: both of one moment, in one statement. */
export async function selectVectors(
  session: PgSession,
  fingerprint: string,
  after: number,
): Promise<{ readonly erasures: number; readonly vectors: readonly StoredVector[] }> {
  const rows = await session.query(
    `SELECT t.erasures, v.memory, v.scale, v.packed, m.scope FROM statistics t
     LEFT JOIN (memory_vectors v JOIN memories m ON m.id = v.memory)
       ON v.space = (SELECT id FROM embedding_spaces WHERE fingerprint = $1) AND v.memory > $2
     WHERE t.id = 1 ORDER BY v.memory`,
    [fingerprint, after],
  );
  return {
    erasures: Number(rows[0]?.["erasures"] ?? 0),
    vectors: rows.filter((row) => row["memory"] !== null).map(toVector),
  };
}

function toVector(row: PgRow): StoredVector {
  const bytes = row["packed"] as Uint8Array;
  return {
    row: Number(row["memory"]),
    scope: Number(row["scope"]),
    packed: {
      values: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
      scale: Number(row["scale"]),
    },
  };
}

async function spaceNumber(session: PgSession, fingerprint: string): Promise<number> {
  const [known] = await session.query("SELECT id FROM embedding_spaces WHERE fingerprint = $1", [
    fingerprint,
  ]);
  if (known !== undefined) return Number(known["id"]);
  const [made] = await session.query("INSERT INTO embedding_spaces(fingerprint) VALUES($1) RETURNING id", [
    fingerprint,
  ]);
  return Number(made?.["id"]);
}
