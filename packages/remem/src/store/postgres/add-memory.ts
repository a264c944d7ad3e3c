import { VERBATIM_KINDS } from "../../core/memory/record.ts";
import { scopeKey } from "../../core/memory/scope.ts";
import type { AddResult, Entry } from "../../core/ports/memory-store.ts";
import { settledMemory } from "../shared/settled-memory.ts";
import { contentKey, findSame, isForgotten } from "./content-key.ts";
import type { PgSession } from "./database.ts";
import { insertMemory } from "./insert-memory.ts";
import { scopeOf } from "./scopes.ts";
import { markSuperseded, settleSubject } from "./settle-subject.ts";
import { putVector } from "./vector-rows.ts";

/** What adding needs of the world. */
export interface AddContext {
  readonly session: PgSession;
  readonly now: () => number;
  readonly newId: () => string;
  /** Vectors are written in pgvector's type, too. */
  readonly vectorType: boolean;
}

/** Adds one memory. Call it in a transaction that holds the store's lock. */
export async function addMemory(context: AddContext, { memory, vector }: Entry): Promise<AddResult> {
  const { session } = context;
  const title = memory.title ?? "";
  const scope = await scopeOf(session, scopeKey(memory.scope));
  const key = await contentKey(session, scope.key, title, memory.text);
  if (await isForgotten(session, scope, key, title, memory.text)) return { outcome: "forgotten" };
  if (!VERBATIM_KINDS.has(memory.kind)) {
    const known = await findSame(session, key, memory.kind);
    if (known !== undefined) return { outcome: "known", id: known };
  }
  const recordedAt = context.now();
  const at = memory.at ?? recordedAt;
  const settled = await settleSubject(session, scope.number, {
    subject: memory.subject,
    at,
    provenance: memory.provenance,
    state: memory.state ?? "active",
  });
  const id = context.newId();
  const place = { id, at, recordedAt, scope, contentKey: key };
  const row = await insertMemory(session, settledMemory(memory, place, settled));
  for (const old of settled.superseded) await markSuperseded(session, old.row, row, at);
  if (vector !== undefined)
    await putVector(session, context.vectorType, vector.fingerprint, row, vector.packed);
  return { outcome: "added", id, state: settled.state, superseded: settled.superseded.map((old) => old.id) };
}
