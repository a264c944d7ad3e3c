/** What extensions make of a call and its result: `tool_call` and `tool_result`. */
import type { BeforeToolDecision, PendingCall } from "../../../contract/callbacks.ts";
import { errorMessage } from "../../../contract/errors.ts";
import { isJsonObject } from "../../../contract/json.ts";
import { type ImagePart, textOf } from "../../../contract/messages.ts";
import type { ToolOutcome } from "../../../contract/tool.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { HostState } from "./host-state.ts";
import { asJson, extensionDetails, partsOf } from "./pi-message.ts";

function aboutCall({ nested }: HostState, { id, name }: PendingCall) {
  const parentToolCallId = nested.get(id);
  return {
    toolName: name,
    toolCallId: id,
    ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
  };
}

/** Why a call is not to run, or its input as handlers left it. */
export async function beforeTool(
  state: HostState,
  dispatcher: Dispatcher,
  call: PendingCall,
  signal: AbortSignal,
): Promise<BeforeToolDecision | undefined> {
  if (!dispatcher.has("tool_call")) return undefined;
  const before = JSON.stringify(call.input);
  const event = { type: "tool_call", ...aboutCall(state, call), input: call.input };
  let block: string | undefined;
  await dispatcher.dispatch(event, {
    signal,
    take(value, extension) {
      const { block: blocks, reason } = (value ?? {}) as { block?: unknown; reason?: unknown };
      if (blocks === true)
        block =
          typeof reason === "string" && reason !== ""
            ? reason
            : `Blocked by the extension "${extension.name}".`;
      return block !== undefined;
    },
    // What should have been looked at must not run unseen.
    failed(end, extension) {
      const why = end.kind === "thrown" ? errorMessage(end.error) : "it took too long";
      if (end.kind !== "aborted")
        block = `The call was not run: the extension "${extension.name}" failed before it: ${why}`;
      return true;
    },
  });
  if (block !== undefined) return { block };
  const after: unknown = event.input;
  return JSON.stringify(after) === before || !isJsonObject(after) ? undefined : { input: after };
}

/** The result as handlers left it; undefined: as it was. */
export async function afterTool(
  state: HostState,
  dispatcher: Dispatcher,
  call: PendingCall,
  outcome: ToolOutcome,
  signal: AbortSignal,
): Promise<ToolOutcome | undefined> {
  if (!dispatcher.has("tool_result")) return undefined;
  const pictures = (outcome.images ?? []).map(({ data, mimeType }) => ({ type: "image", data, mimeType }));
  const event = {
    type: "tool_result",
    ...aboutCall(state, call),
    input: call.input,
    content: [{ type: "text", text: outcome.text }, ...pictures] as unknown,
    details: extensionDetails(outcome.details),
    isError: outcome.isError,
  };
  let changed = outcome;
  await dispatcher.dispatch(event, {
    signal,
    take(value) {
      if (typeof value !== "object" || value === null) return undefined;
      const patch = value as { content?: unknown; details?: unknown; isError?: unknown };
      if (patch.content !== undefined) changed = withContent(changed, patch.content);
      if (patch.details !== undefined)
        changed = { ...changed, details: { ...changed.details, extension_details: asJson(patch.details) } };
      if (typeof patch.isError === "boolean")
        changed = { ...changed, isError: patch.isError, outcome: patch.isError ? "failed" : changed.outcome };
      Object.assign(event, patch);
      return undefined;
    },
  });
  return changed === outcome ? undefined : changed;
}

function withContent(outcome: ToolOutcome, content: unknown): ToolOutcome {
  const parts = partsOf(content);
  const images = parts.filter((part): part is ImagePart => part.type === "image");
  const { images: _, ...rest } = outcome;
  return { ...rest, text: textOf(parts), ...(images.length > 0 ? { images } : {}) };
}
