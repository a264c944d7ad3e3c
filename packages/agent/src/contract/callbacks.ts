/**
 * Callbacks around the model, the tools and a run. Order is fixed: the list's order for `before…` and for `after…`; the first
 * value that is not undefined wins for blocking, later ones see the changed value. A callback that throws becomes a failed
 * result (tools) or a notice (all else), never the end of the run.
 */
import type { RunStop } from "./events.ts";
import type { JsonObject } from "./json.ts";
import type { AssistantMessage, UserMessage } from "./messages.ts";
import type { ModelRequest } from "./model.ts";
import type { CompactionKind } from "./session.ts";
import type { ToolKind, ToolOutcome } from "./tool.ts";

/** A validated call about to run. `input` is a private copy: changing it in place has no effect. */
export interface PendingCall {
  id: string;
  name: string;
  kind: ToolKind;
  input: JsonObject;
}

export interface BeforeToolDecision {
  /** Refuses the call; the model reads this text. */
  block?: string;
  /** Replaces the input (validated again). */
  input?: JsonObject;
}

export interface PromptDecision {
  /** The prompt is not sent; the person reads this text. */
  block?: string;
  /** Goes before the model with the prompt, as a reminder. */
  context?: string;
}

/** A compaction that is about to begin. */
export interface CompactionInfo {
  kind: CompactionKind;
  /** What the next request would take. */
  tokens: number;
  /** What a person wants kept above all. */
  focus?: string;
}

/** A run that is about to end. */
export interface RunEnd {
  stop: RunStop;
  /** The last answer. */
  text: string;
  turns: number;
  /** A callback has made this run go on before; it cannot do so again. */
  wentOn: boolean;
}

export interface Callbacks {
  readonly name: string;
  /** Sees what a person says before it is stored. May wait for a while. */
  beforePrompt?(message: UserMessage, signal: AbortSignal): Promise<PromptDecision | undefined>;
  beforeModel?(request: ModelRequest, signal: AbortSignal): Promise<ModelRequest | undefined>;
  afterModel?(message: AssistantMessage): Promise<AssistantMessage | undefined>;
  /** May wait for a person. */
  beforeTool?(call: PendingCall, signal: AbortSignal): Promise<BeforeToolDecision | undefined>;
  afterTool?(call: PendingCall, outcome: ToolOutcome, signal: AbortSignal): Promise<ToolOutcome | undefined>;
  /** Asked before a summary is made; `block` says why there is to be none, `summary` is used instead of asking a model for one. */
  beforeCompact?(
    info: CompactionInfo,
    signal: AbortSignal,
  ): Promise<{ block?: string; summary?: string } | undefined>;
  /** Asked before a run ends by itself. After a final answer `goOn`, a text for the model, lets it go on: once in a run. */
  beforeStop?(end: RunEnd, signal: AbortSignal): Promise<{ goOn?: string } | undefined>;
}
