import type { JsonObject } from "../../../contract/json.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import type { PiToolResult } from "../pi-types.ts";
import { type HostState, portsOf } from "./host-state.ts";
import { allTools } from "./listed-tools.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { asJson, extensionDetails } from "./pi-message.ts";

interface ExecuteOptions {
  signal?: AbortSignal;
  onUpdate?(partial: PiToolResult): void;
}

/** Tools that call tools that call tools: deeper than this nobody means it. */
const MOST_DEPTH = 8;

/** `ctx` of a call of an extension's tool: it may run other tools, with every check and rule that a model's own calls meet. */
export function toolCallContext(extension: LoadedExtension, state: HostState, context: ToolContext): object {
  let calls = 0;
  const more = {
    get signal() {
      return context.signal;
    },
    get tools() {
      return allTools(state, portsOf(state, extension));
    },
    /** Never rejects for what goes wrong in the other tool: that is a result with `isError`. */
    async executeTool(name: unknown, args: unknown, options: ExecuteOptions = {}) {
      const id = `${context.callId}/${++calls}`;
      const input = asJson(args ?? {});
      if (!isJsonObject(input)) return failed(`the arguments of ${String(name)} are no object`);
      if (depthOf(state, id, context.callId) > MOST_DEPTH)
        return failed(`tools call each other more than ${MOST_DEPTH} deep; ${String(name)} was not run`);
      try {
        return await nested(state, extension, { id, name: String(name), arguments: input }, context, options);
      } finally {
        state.nested.delete(id);
      }
    },
  };
  return Object.create(
    state.contextOf(extension) as object,
    Object.getOwnPropertyDescriptors(more),
  ) as object;
}

async function nested(
  state: HostState,
  extension: LoadedExtension,
  call: { id: string; name: string; arguments: JsonObject },
  { callId, signal: outer }: ToolContext,
  { signal = outer, onUpdate }: ExecuteOptions,
) {
  let shown = "";
  const about = { toolCallId: call.id, toolName: call.name, parentToolCallId: callId };
  const progress = (delta: string) => {
    shown += delta;
    const partialResult = { content: [{ type: "text" as const, text: shown }], details: undefined };
    onUpdate?.(partialResult);
    state.tell("tool_execution_update", { ...about, args: call.arguments, partialResult });
  };
  const outcome = await portsOf(state, extension).runTool(call, signal, progress);
  const result = resultOf(outcome);
  state.tell("tool_execution_end", { ...about, result, isError: result.isError });
  return result;
}

function depthOf(state: HostState, id: string, parent: string): number {
  state.nested.set(id, parent);
  let depth = 0;
  for (let at: string | undefined = id; at !== undefined; at = state.nested.get(at)) depth++;
  return depth;
}

function resultOf({ text, isError, details, images = [] }: ToolOutcome) {
  const pictures = images.map(({ data, mimeType }) => ({ type: "image" as const, data, mimeType }));
  return {
    content: [{ type: "text" as const, text }, ...pictures],
    details: extensionDetails(details),
    isError,
  };
}

function failed(text: string) {
  return { content: [{ type: "text" as const, text }], details: undefined, isError: true };
}
