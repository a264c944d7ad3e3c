import type { AddResult, Entry } from "../../core/ports/memory-store.ts";
import { type AddContext, addMemory } from "./add-memory.ts";
import { markSuperseded } from "./settle-subject.ts";

/** A person's new wording of a memory; null when it is not there. A pin passes on to the new wording. Call it inside a transaction. */
export function replaceMemory(context: AddContext, id: string, entry: Entry): AddResult | null {
  const { connection, now } = context;
  const old = connection.prepare("SELECT id, state, pinned FROM memories WHERE uid = ?").get(id);
  if (old === undefined) return null;
  const row = old["id"] as number;
  // It must not meet its own successor: neither as the same statement nor as a newer one on the subject.
  const setState = connection.prepare("UPDATE memories SET state = ? WHERE id = ?");
  setState.run("superseded", row);
  const result = addMemory(context, entry);
  if (result.outcome === "forgotten" || (result.outcome === "added" && result.state !== "active")) {
    setState.run(old["state"]!, row);
    return result;
  }
  const successor = connection.prepare("SELECT id FROM memories WHERE uid = ?").get(result.id)?.[
    "id"
  ] as number;
  markSuperseded(connection, row, successor, now());
  if (old["pinned"] === 1) connection.prepare("UPDATE memories SET pinned = 1 WHERE id = ?").run(successor);
  return result.outcome === "added" ? { ...result, superseded: [id, ...result.superseded] } : result;
}
