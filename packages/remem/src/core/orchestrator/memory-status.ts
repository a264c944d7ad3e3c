import type { CaptureReport } from "../capture/capture-report.ts";
import type { RecallTrace } from "../trace/recall-trace.ts";
import type { ProviderStatus } from "./answers.ts";
import type { OrchestratorLimits } from "./limits.ts";

/** How memory is, small enough to be shown to a model: no vector, no memory's text. */
export interface MemoryStatus {
  readonly providers: readonly ProviderStatus[];
  /** Providers beyond the first few, which are not listed. */
  readonly moreProviders: number;
  readonly limits: OrchestratorLimits;
  readonly lastTrace: RecallTrace | undefined;
  readonly capture: CaptureReport | undefined;
}
