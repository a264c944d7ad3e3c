import { VERBATIM_KINDS } from "../../core/memory/record.ts";
import { scopeKey } from "../../core/memory/scope.ts";
import type { AddResult, Entry } from "../../core/ports/memory-store.ts";
import { settledMemory } from "../shared/settled-memory.ts";
import { contentKey, isForgotten } from "./content-key.ts";
import type { SqlConnection } from "./driver.ts";
import { insertMemory } from "./insert-memory.ts";
import { scopeOf } from "./scopes.ts";
import { markSuperseded, settleSubject } from "./settle-subject.ts";
import { insertVector } from "./vector-rows.ts";

/** What adding needs of the world. */
export interface AddContext {
  readonly connection: SqlConnection;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Adds one memory. Call it inside a transaction. */
export function addMemory(context: AddContext, { memory, vector }: Entry): AddResult {
  const { connection } = context;
  const title = memory.title ?? "";
  const scope = scopeOf(connection, scopeKey(memory.scope));
  const key = contentKey(connection, scope.key, title, memory.text);
  if (isForgotten(connection, scope, key, title, memory.text)) return { outcome: "forgotten" };
  if (!VERBATIM_KINDS.has(memory.kind)) {
    const known = findSame(connection, key, memory.kind);
    if (known !== undefined) return { outcome: "known", id: known };
  }
  const recordedAt = context.now();
  const at = memory.at ?? recordedAt;
  const settled = settleSubject(connection, scope.number, {
    subject: memory.subject,
    at,
    provenance: memory.provenance,
    state: memory.state ?? "active",
  });
  const id = context.newId();
  const place = { id, at, recordedAt, scope, contentKey: key };
  const row = insertMemory(connection, settledMemory(memory, place, settled));
  for (const old of settled.superseded) markSuperseded(connection, old.row, row, at);
  if (vector !== undefined) insertVector(connection, vector.fingerprint, row, vector.packed);
  return { outcome: "added", id, state: settled.state, superseded: settled.superseded.map((old) => old.id) };
}

/** The id of a statement of this kind with the same content that was not superseded. */
export function findSame(connection: SqlConnection, key: Uint8Array, kind: string): string | undefined {
  const known = connection
    .prepare("SELECT uid FROM memories WHERE content_key = ? AND kind = ? AND state <> 'superseded'")
    .get(key, kind);
  return known === undefined ? undefined : String(known["uid"]);
}
