import type { Statement } from "../../core/manager/memory-manager.ts";
import { isMemoryKind, MEMORY_KINDS, type MemoryKind, VERBATIM_KINDS } from "../../core/memory/record.ts";
import { nearestName } from "../../runtime/config/nearest-name.ts";
import { usageError } from "../cli-error.ts";

/** Kinds of statements: all but what quotes a session word for word. */
export const STATEMENT_KINDS: readonly Statement["kind"][] = MEMORY_KINDS.filter(
  (kind): kind is Statement["kind"] => !VERBATIM_KINDS.has(kind),
);

/** The kinds that a person named; undefined when none. */
export function parseKinds(written: readonly string[]): MemoryKind[] | undefined {
  return written.length === 0 ? undefined : written.map(parseKind);
}

/** The kind of a statement that is written down. */
export function parseStatementKind(written: string | undefined): Statement["kind"] {
  if (written === undefined) return "fact";
  const kind = parseKind(written);
  const statement = STATEMENT_KINDS.find((one) => one === kind);
  if (statement !== undefined) return statement;
  throw usageError(
    `--kind ${kind} is what sessions are made of; it cannot be written by hand`,
    `kinds: ${STATEMENT_KINDS.join(", ")}`,
  );
}

function parseKind(word: string): MemoryKind {
  if (isMemoryKind(word)) return word;
  const near = nearestName(word, MEMORY_KINDS);
  throw usageError(
    `--kind ${JSON.stringify(word)} is no kind of memory`,
    near === undefined ? `kinds: ${MEMORY_KINDS.join(", ")}` : `did you mean ${near}?`,
  );
}
