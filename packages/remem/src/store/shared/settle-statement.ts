import type { MemoryState, Provenance } from "../../core/memory/record.ts";
import { resolveSubject, subjectKey } from "../../core/memory/supersession.ts";

/** A statement that holds in a store. */
export interface KnownStatement {
  readonly row: number;
  readonly id: string;
  readonly at: number;
  readonly provenance: Pick<Provenance, "author" | "typed">;
}

/** What becomes of a statement and of those on its subject. */
export interface SettledSubject {
  readonly state: MemoryState;
  readonly subjectKey: string | null;
  readonly superseded: readonly KnownStatement[];
  readonly yieldsTo: KnownStatement | undefined;
}

/** A statement as far as its subject is concerned. `state`: what it would like to be; only what would hold meets the others. */
export interface Statement {
  readonly subject: string | undefined;
  readonly at: number;
  readonly provenance: Provenance;
  readonly state: MemoryState;
}

/** The key of a statement's subject, if its subject is to be settled: only what would hold meets the others. */
export function settlingKey(statement: Statement): string | null {
  return statement.state === "active" ? keyOf(statement) : null;
}

/** Settles which statement on one subject holds; `known` are those that hold so far. Changes nothing. */
export function settleStatement(statement: Statement, known: readonly KnownStatement[]): SettledSubject {
  const key = keyOf(statement);
  if (settlingKey(statement) === null)
    return { state: statement.state, subjectKey: key, superseded: [], yieldsTo: undefined };
  const resolution = resolveSubject(statement, known);
  return {
    state: resolution.incoming,
    subjectKey: key,
    superseded: resolution.superseded,
    yieldsTo: resolution.incoming === "superseded" ? resolution.yieldsTo : undefined,
  };
}

function keyOf({ subject }: Statement): string | null {
  const key = subject === undefined ? "" : subjectKey(subject);
  return key === "" ? null : key;
}
