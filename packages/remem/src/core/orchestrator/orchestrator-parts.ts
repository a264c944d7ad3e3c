import type { CaptureReport } from "../capture/capture-report.ts";
import type { MemoryRecord } from "../memory/record.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import type { Screen } from "../ports/screen.ts";
import type { ProviderAttempt } from "../trace/recall-trace.ts";
import type { TraceLog } from "../trace/trace-log.ts";
import type { OrchestratorLimits } from "./limits.ts";
import type { MemoryProvider } from "./memory-provider.ts";

/** What an orchestrator is made of. */
export interface OrchestratorParts {
  /** The providers, as soon as they are open; the wait counts against the deadline of who asks. Of two with one id the first counts. */
  readonly providers: () => Promise<readonly MemoryProvider[]>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly newId: () => string;
  readonly screen: Screen;
  readonly traces: TraceLog;
  readonly limits: OrchestratorLimits;
  /** Which of these files, as memories name them, are no longer there. Without it nobody looks. */
  readonly missingFiles?: (files: readonly string[]) => readonly string[];
  /** Told what was put before a model, so that it is not learned again. */
  readonly onShown?: (records: readonly MemoryRecord[]) => void;
  /** Told of each provider that did not answer. */
  readonly onTrouble?: (attempt: ProviderAttempt) => void;
  readonly capture?: () => CaptureReport;
}
