/** What a {@link Runner} is built from. The composition root fills it; the loop knows nothing beyond these ports. */
import type { Callbacks } from "../contract/callbacks.ts";
import type { AssistantMessage, Usage } from "../contract/messages.ts";
import type { ModelClient, ModelInfo, ThinkingLevel } from "../contract/model.ts";
import type { Clock, TokenBudget } from "../contract/services.ts";
import type { Conversation } from "../contract/session.ts";
import type { AnyTool, SpillDoor, ToolContext } from "../contract/tool.ts";
import type { CompactionSettings } from "./compaction/settings.ts";

/**
 * The parts of a run. They are read anew at the start of each run, so the owner of the object may change model, client, tools
 * or thinking between two runs and never during one.
 */
export interface RunnerOptions {
  conversation: Conversation;
  /** Called when a run begins, before the options are read for it: what waited for that may change them now. */
  beforeRun?(): void;
  model: ModelInfo;
  client: ModelClient;
  /** The system text; byte-identical over a session, or prompt caches go cold. */
  system: string;
  /** In the order in which the model is told of them; new ones go at the end. */
  tools: readonly AnyTool[];
  /** Builds the doors of one call. `progress` takes live output for people. */
  toolContext(callId: string, signal: AbortSignal, progress: (delta: string) => void): ToolContext;
  callbacks?: readonly Callbacks[];
  budget?: TokenBudget;
  clock: Clock;
  newId(): string;
  /** 0 to 1, for the jitter of retries. */
  random(): number;
  agentName: string;
  cwd: string;
  /** Model calls of one run; none: no limit but the loop guard. */
  maxTurns?: number;
  /** Tokens one answer may use; absent: the model's own limit. */
  maxOutput?: number;
  thinking: ThinkingLevel;
  /** The longest wait before a retry, in milliseconds; a service that asks for more makes the run fail at once. */
  retry: { maxDelayMs: number };
  /** Limits on silence, in milliseconds: until the first event of a stream, then between events; 0 is no limit. */
  idle: { firstByteMs: number; betweenMs: number };
  /** Default: not by itself. */
  compaction?: CompactionSettings;
  /** Keeps what is left out of the history in full. */
  spill?: SpillDoor;
  /** US dollars of one request; undefined when the price is not known. */
  priceOf?(usage: Usage, model: ModelInfo): number | undefined;
}

/** The source tag that the options' client puts on messages of their model. */
export function sourceOf(options: RunnerOptions): AssistantMessage["source"] {
  return options.client.source(options.model);
}
