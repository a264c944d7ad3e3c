import { deriveSubject } from "../capture/statements/subject.ts";
import type { Actor } from "../manager/actor.ts";
import type { NewMemory } from "../memory/record.ts";
import type { MemoryScope } from "../memory/scope.ts";
import type { CorrectionRecord } from "../ports/engine-state.ts";
import type { Entry, MemoryStore } from "../ports/memory-store.ts";

/** Where a correction holds. */
export function correctionScope({ project }: Pick<CorrectionRecord, "project">): MemoryScope {
  return project === "" ? { kind: "global" } : { kind: "project", id: project };
}

/** The memory a correction becomes, with the authority of the person who applied it. */
export function correctedMemory(correction: CorrectionRecord, host: string, actor: Actor): NewMemory {
  const subject = deriveSubject(correction.statement);
  return {
    kind: "fact",
    scope: correctionScope(correction),
    text: correction.statement,
    ...(subject === undefined ? {} : { subject }),
    provenance: {
      host,
      sessionId: correction.sessionId,
      messageId: `correction:${correction.id}`,
      author: { role: "user", ...(actor.name === "" ? {} : { name: actor.name }) },
      typed: true,
    },
    at: correction.decided?.at ?? correction.at,
  };
}

/** Writes a correction: its statement is added, what it disputes becomes superseded by it. */
export async function applyCorrection(
  parts: {
    readonly store: MemoryStore;
    readonly entry: (memory: NewMemory) => Promise<Entry>;
    readonly host: string;
  },
  correction: CorrectionRecord,
  actor: Actor,
): Promise<void> {
  const entry = await parts.entry(correctedMemory(correction, parts.host, actor));
  if (correction.disputed.length === 0) await parts.store.add([entry]);
  for (const id of correction.disputed) await parts.store.replace(id, entry);
}
