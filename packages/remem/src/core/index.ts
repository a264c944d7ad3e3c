export { CaptureCoordinator, type CaptureOptions } from "./capture/capture-coordinator.ts";
export type { CaptureExplanation, CaptureReport } from "./capture/capture-report.ts";
export type { CapturedEntry, CaptureSink, EntryWeight } from "./capture/captured-entry.ts";
export { Compressor, type CompressorParts } from "./capture/compression/compressor.ts";
export type * from "./capture/observation.ts";
export { RecalledEcho } from "./capture/recalled-echo.ts";
export {
  extractStatements,
  type Statement as TypedStatement,
} from "./capture/statements/extract-statements.ts";
export { CorrectionError, type CorrectionErrorCode } from "./corrections/correction-error.ts";
export {
  type CorrectionInput,
  type CorrectionParts,
  CorrectionQueue,
} from "./corrections/correction-queue.ts";
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
export type { Actor } from "./manager/actor.ts";
export type { ForgetPreview } from "./manager/forget-preview.ts";
export { ManagerError, type ManagerErrorCode } from "./manager/manager-error.ts";
export { type ManagerParts, MemoryManager, type Statement } from "./manager/memory-manager.ts";
export type * from "./memory/record.ts";
export { MEMORY_KINDS } from "./memory/record.ts";
export type { MemoryScope, ScopeKind } from "./memory/scope.ts";
export type * from "./orchestrator/answers.ts";
export { titleOf } from "./orchestrator/frame-summary.ts";
export { DEFAULT_LIMITS, type OrchestratorLimits } from "./orchestrator/limits.ts";
export type { ExplicitOptions } from "./orchestrator/look.ts";
export type { MemoryContext } from "./orchestrator/memory-context.ts";
export type * from "./orchestrator/memory-provider.ts";
export type { MemoryStatus } from "./orchestrator/memory-status.ts";
export { MemoryOrchestrator } from "./orchestrator/orchestrator.ts";
export type { OrchestratorParts } from "./orchestrator/orchestrator-parts.ts";
export type { Clock } from "./ports/clock.ts";
export type { Embedder, EmbeddingSpace } from "./ports/embedder.ts";
export type * from "./ports/engine-state.ts";
export type * from "./ports/memory-store.ts";
export { type Scheduler, SYSTEM_SCHEDULER } from "./ports/scheduler.ts";
export type * from "./ports/screen.ts";
export type { SmallModel } from "./ports/small-model.ts";
export { FRAME, FRAME_INSTRUCTION, frameAll, frameMemory } from "./recall/frame.ts";
export { inertText } from "./recall/inert-text.ts";
export { estimateTokens } from "./text/estimate-tokens.ts";
export type * from "./trace/recall-trace.ts";
export { TraceLog } from "./trace/trace-log.ts";
