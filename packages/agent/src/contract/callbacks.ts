/**
 * Callbacks around the model and the tools. Order is fixed: the list's order for `before…` and for `after…`; the first
 * value that is not undefined wins for blocking, later ones see the changed value. A callback that throws becomes a failed
 * result (tools) or a notice (model), never the end of the run.
 */
import type { JsonObject } from "./json.ts";
import type { AssistantMessage } from "./messages.ts";
import type { ModelRequest } from "./model.ts";
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

export interface Callbacks {
  readonly name: string;
  beforeModel?(request: ModelRequest, signal: AbortSignal): Promise<ModelRequest | undefined>;
  afterModel?(message: AssistantMessage): Promise<AssistantMessage | undefined>;
  /** May wait for a person. */
  beforeTool?(call: PendingCall, signal: AbortSignal): Promise<BeforeToolDecision | undefined>;
  afterTool?(call: PendingCall, outcome: ToolOutcome, signal: AbortSignal): Promise<ToolOutcome | undefined>;
}
