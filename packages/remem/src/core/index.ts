export type {
  EngineOptions,
  Hit,
  Recall,
  RecallOptions,
  SearchOptions,
  SearchResult,
  SessionHit,
} from "./engine.ts";
export { MemoryEngine } from "./engine.ts";
export { StoreError, type StoreErrorCode } from "./errors.ts";
export type * from "./memory/record.ts";
export type { MemoryScope, ScopeKind } from "./memory/scope.ts";
export type { Clock } from "./ports/clock.ts";
export type { Embedder, EmbeddingSpace } from "./ports/embedder.ts";
export type * from "./ports/memory-store.ts";
export { FRAME, FRAME_INSTRUCTION } from "./recall/frame.ts";
