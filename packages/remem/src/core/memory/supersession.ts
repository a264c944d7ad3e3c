import { terms } from "../text/tokenize.ts";
import type { Provenance } from "./record.ts";

/** A statement on one subject, as far as it matters for which of them holds. */
export interface SubjectStatement {
  readonly at: number;
  readonly provenance: Pick<Provenance, "author" | "typed">;
}

/** What becomes of a new statement and of those it meets. */
export interface Resolution<T> {
  readonly incoming: "active" | "candidate" | "superseded";
  /** The known statements that no longer hold. */
  readonly superseded: readonly T[];
  /** The known statement that the incoming one yields to. */
  readonly yieldsTo: T | undefined;
}

/** The form in which subjects are compared: index terms, so that "Package Manager" and "package-managers" are one. Empty: no subject. */
export function subjectKey(subject: string): string {
  return terms(subject).join(" ");
}

/**
 * Newer wins, but what a person typed yields only to what a person typed: anything else on such a subject waits as a candidate.
 * A statement that is older than a known one (an import) comes in as superseded.
 */
export function resolveSubject<T extends SubjectStatement>(
  incoming: SubjectStatement,
  known: readonly T[],
): Resolution<T> {
  const newest = known.reduce<T | undefined>(
    (best, one) => (best === undefined || one.at > best.at ? one : best),
    undefined,
  );
  if (newest === undefined) return { incoming: "active", superseded: [], yieldsTo: undefined };
  if (!incoming.provenance.typed && known.some((one) => one.provenance.typed))
    return { incoming: "candidate", superseded: [], yieldsTo: newest };
  if (newest.at > incoming.at) return { incoming: "superseded", superseded: [], yieldsTo: newest };
  return { incoming: "active", superseded: known, yieldsTo: undefined };
}
