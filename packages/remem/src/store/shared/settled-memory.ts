import type { MemoryRecord, NewMemory } from "../../core/memory/record.ts";
import type { SettledSubject } from "./settle-statement.ts";
import type { StoredScope } from "./stored-scope.ts";

/** A memory whose place and state are settled. */
export interface SettledMemory {
  readonly record: Omit<MemoryRecord, "scope" | "supersededBy">;
  readonly scope: StoredScope;
  readonly subjectKey: string | null;
  readonly contentKey: Uint8Array;
  /** The row of its successor. */
  readonly supersededBy: number | null;
}

/** A new memory as it is written down, after it met those on its subject. */
export function settledMemory(
  memory: NewMemory,
  place: Pick<SettledMemory, "scope" | "contentKey"> & {
    readonly id: string;
    readonly at: number;
    readonly recordedAt: number;
  },
  subject: SettledSubject,
): SettledMemory {
  const { id, at, recordedAt, scope, contentKey } = place;
  return {
    record: {
      id,
      kind: memory.kind,
      title: memory.title ?? "",
      text: memory.text,
      attachment: memory.attachment ?? "",
      files: memory.files ?? [],
      subject: memory.subject,
      provenance: memory.provenance,
      at,
      recordedAt,
      validTo: subject.yieldsTo?.at,
      freshness: "current",
      state: subject.state,
      pinned: false,
    },
    scope,
    subjectKey: subject.subjectKey,
    contentKey,
    supersededBy: subject.yieldsTo?.row ?? null,
  };
}
