import type { MemoryScope } from "../memory/scope.ts";

/** On whose behalf memory is asked: a session, what it may read, and where what it learns holds. */
export interface MemoryContext {
  readonly sessionId: string;
  /** The project's key; empty where there is no project. Summaries belong to it. */
  readonly project: string;
  /** Everything that may be read. A record of another scope is dropped, whoever gives it. */
  readonly scopes: readonly MemoryScope[];
  /** Where statements of this session hold. */
  readonly writes: MemoryScope;
}
