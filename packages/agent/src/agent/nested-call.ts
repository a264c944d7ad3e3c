import { errorMessage } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ToolOutcome } from "../contract/tool.ts";
import type { RunnerOptions } from "./options.ts";
import { refusal } from "./refusals.ts";
import { prepareCall, runCall } from "./tool-call.ts";
import { Toolbox } from "./toolbox.ts";

/** A call that a running tool makes. */
export interface NestedCall {
  id: string;
  name: string;
  arguments: JsonObject;
}

/** Runs a call that a tool makes as if a model had: checked, shown to every callback, refused where they refuse it. Its result is the caller's alone. Never throws. */
export async function nestedCall(
  options: RunnerOptions,
  call: NestedCall,
  signal: AbortSignal,
  progress: (delta: string) => void,
): Promise<ToolOutcome> {
  const { tools, client, callbacks = [] } = options;
  const toolbox = new Toolbox(tools, client.rules);
  const prepared = await prepareCall({ type: "tool_call", ...call }, toolbox, callbacks, signal);
  if (!prepared.ready) return prepared.outcome;
  try {
    return await runCall(call.id, prepared, options.toolContext(call.id, signal, progress), callbacks);
  } catch (thrown) {
    return refusal("threw", `${prepared.name} could not be run: ${errorMessage(thrown)}`);
  }
}
