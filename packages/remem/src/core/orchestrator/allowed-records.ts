import type { MemoryRecord } from "../memory/record.ts";
import { type MemoryScope, scopeKey } from "../memory/scope.ts";

/** The second check of scopes: providers were told, and what they give is looked at all the same. */
export class ScopeGuard {
  readonly #allowed: ReadonlySet<string>;
  #dropped = 0;

  constructor(scopes: readonly MemoryScope[]) {
    this.#allowed = new Set(scopes.flatMap((scope) => keyOf(scope) ?? []));
  }

  /** Records that were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether a record may be shown; a malformed one may not. */
  admits(record: MemoryRecord): boolean {
    const key = isRecord(record) ? keyOf(record.scope) : undefined;
    if (key !== undefined && this.#allowed.has(key)) return true;
    this.#dropped++;
    return false;
  }
}

function keyOf(scope: MemoryScope): string | undefined {
  try {
    return scopeKey(scope);
  } catch {
    // A scope without its id belongs to nobody.
    return undefined;
  }
}

function isRecord(value: unknown): value is MemoryRecord {
  if (typeof value !== "object" || value === null) return false;
  const { id, text, title, attachment, kind, scope, provenance, at } = value as Partial<MemoryRecord>;
  return (
    [id, text, title, attachment, kind].every((part) => typeof part === "string") &&
    typeof scope === "object" &&
    scope !== null &&
    typeof provenance?.author?.role === "string" &&
    typeof provenance.sessionId === "string" &&
    Number.isFinite(at)
  );
}
