import type { AddResult, Entry, MemoryChange } from "../../core/ports/memory-store.ts";
import { type AddContext, addMemory } from "./add-memory.ts";
import type { PgSession } from "./database.ts";
import { activeStatements, markSuperseded } from "./settle-subject.ts";

/** Approves, pins or dates memories; gives how many there were. Approving a statement supersedes what holds on its subject. */
export async function markMemories(
  session: PgSession,
  ids: readonly string[],
  change: MemoryChange,
  now: number,
): Promise<number> {
  let changed = 0;
  for (const id of ids) {
    const [known] = await session.query("SELECT id, scope, subject_key FROM memories WHERE uid = $1", [id]);
    if (known === undefined) continue;
    changed++;
    const row = Number(known["id"]);
    if (change.freshness !== undefined)
      await session.query("UPDATE memories SET freshness = $1 WHERE id = $2", [change.freshness, row]);
    if (change.state !== undefined) {
      if (change.state === "active" && known["subject_key"] !== null)
        for (const other of await activeStatements(
          session,
          Number(known["scope"]),
          String(known["subject_key"]),
        ))
          if (other.row !== row) await markSuperseded(session, other.row, row, now);
      await session.query(
        "UPDATE memories SET state = $1, valid_to = NULL, superseded_by = NULL WHERE id = $2",
        [change.state, row],
      );
    }
    if (change.pinned !== undefined)
      await session.query("UPDATE memories SET pinned = $1 WHERE id = $2", [change.pinned, row]);
  }
  return changed;
}

/** A person's new wording of a memory; null when it is not there. A pin passes on to the new wording. */
export async function replaceMemory(
  context: AddContext,
  id: string,
  entry: Entry,
): Promise<AddResult | null> {
  const { session, now } = context;
  const [old] = await session.query("SELECT id, state, pinned FROM memories WHERE uid = $1", [id]);
  if (old === undefined) return null;
  const row = Number(old["id"]);
  const setState = (state: string) =>
    session.query("UPDATE memories SET state = $1 WHERE id = $2", [state, row]);
  // It must not meet its own successor: neither as the same statement nor as a newer one on the subject.
  await setState("superseded");
  const result = await addMemory(context, entry);
  if (result.outcome === "forgotten" || (result.outcome === "added" && result.state !== "active")) {
    await setState(String(old["state"]));
    return result;
  }
  const [successor] = await session.query("SELECT id FROM memories WHERE uid = $1", [result.id]);
  await markSuperseded(session, row, Number(successor?.["id"]), now());
  if (old["pinned"] === true)
    await session.query("UPDATE memories SET pinned = true WHERE id = $1", [Number(successor?.["id"])]);
  return result.outcome === "added" ? { ...result, superseded: [id, ...result.superseded] } : result;
}
