/** One tool call: looked up, validated, passed through the callbacks, run; whatever goes wrong is a result. */
import type { Callbacks, PendingCall } from "../contract/callbacks.ts";
import { errorMessage } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ToolCallPart } from "../contract/messages.ts";
import type { AnyTool, ToolContext, ToolOutcome } from "../contract/tool.ts";
import { validateArguments } from "./arguments/validate.ts";
import { copied } from "./copy.ts";
import { notStarted, problemRefusal, refusal } from "./refusals.ts";
import type { Toolbox } from "./toolbox.ts";

/** A call that may run, or the reason why it may not. `input` is what is shown of it. */
export type PreparedCall =
  | { ready: true; tool: AnyTool; name: string; input: JsonObject; note: string | undefined }
  | { ready: false; name: string; input: JsonObject; outcome: ToolOutcome };

/** Everything before the run. Never throws. */
export async function prepareCall(
  call: ToolCallPart,
  toolbox: Toolbox,
  callbacks: readonly Callbacks[],
  signal: AbortSignal,
): Promise<PreparedCall> {
  const name = call.name.trim();
  const refuse = (outcome: ToolOutcome, input: JsonObject = call.arguments): PreparedCall => ({
    ready: false,
    name,
    input,
    outcome,
  });
  if (call.problem) return refuse(problemRefusal(name, call.problem), {});
  const tool = toolbox.find(name);
  if (!tool) return refuse(refusal("unknown_tool", toolbox.unknown(call.name)));
  try {
    const meant = await meantCall(tool, call.arguments);
    if ("outcome" in meant) return refuse(meant.outcome);
    const decided = await askCallbacks(call.id, meant.tool, meant.input, callbacks, signal);
    if ("outcome" in decided) {
      const { outcome, input } = decided;
      return { ready: false, name: meant.tool === tool ? name : meant.tool.name, input, outcome };
    }
    return { ready: true, tool: meant.tool, name: meant.tool.name, input: decided.input, note: meant.note };
  } catch (thrown) {
    return refuse(refusal("threw", `${tool.name} could not be prepared: ${errorMessage(thrown)}`));
  }
}

type Meant = { tool: AnyTool; input: JsonObject; note: string | undefined } | { outcome: ToolOutcome };

/** The tool that a call is for, which may be another one than it names, and its input as it will run. */
async function meantCall(tool: AnyTool, sent: JsonObject): Promise<Meant> {
  const prepared = tool.prepare?.(copied(sent)) ?? sent;
  const validated = await validateArguments(tool, prepared);
  if (!validated.ok) return { outcome: refusal("invalid_arguments", validated.message) };
  const meant = tool.standsFor?.(validated.input);
  if (meant === undefined) return { tool, input: validated.input, note: validated.note };
  return "outcome" in meant ? meant : await meantCall(meant.tool, meant.input);
}

type Decided = { input: JsonObject } | { input: JsonObject; outcome: ToolOutcome };

async function askCallbacks(
  id: string,
  tool: AnyTool,
  input: JsonObject,
  callbacks: readonly Callbacks[],
  signal: AbortSignal,
): Promise<Decided> {
  let current = input;
  for (const callback of callbacks) {
    if (!callback.beforeTool) continue;
    if (signal.aborted) return { input: current, outcome: notStarted() };
    try {
      const decision = await callback.beforeTool(pending(id, tool, current), signal);
      if (decision?.block !== undefined)
        return {
          input: current,
          outcome: refusal("blocked", decision.block || `Blocked by ${callback.name}.`),
        };
      if (!decision?.input) continue;
      const validated = await validateArguments(tool, copied(decision.input));
      if (!validated.ok)
        return {
          input: current,
          outcome: refusal("hook_failed", `${callback.name} changed the input. ${validated.message}`),
        };
      current = validated.input;
    } catch (thrown) {
      const text = `The call was not run: ${callback.name} failed before it: ${errorMessage(thrown)}`;
      return { input: current, outcome: refusal("hook_failed", text) };
    }
  }
  return { input: current };
}

/** Runs a prepared call and the callbacks after it. Never throws. */
export async function runCall(
  id: string,
  prepared: Extract<PreparedCall, { ready: true }>,
  context: ToolContext,
  callbacks: readonly Callbacks[],
): Promise<ToolOutcome> {
  const { tool, input, note } = prepared;
  let outcome: ToolOutcome;
  try {
    outcome = checked(await tool.run(copied(input), context), tool);
  } catch (thrown) {
    outcome = refusal("threw", `${tool.name} failed: ${errorMessage(thrown)}`);
  }
  for (const callback of callbacks) {
    if (!callback.afterTool || context.signal.aborted) continue;
    try {
      const changed = await callback.afterTool(pending(id, tool, input), copied(outcome), context.signal);
      if (changed) outcome = checked(changed, tool);
    } catch (thrown) {
      const text = `${callback.name} failed after ${tool.name} had run: ${errorMessage(thrown)}\nThe tool's own result:\n${outcome.text}`;
      outcome = {
        ...outcome,
        outcome: "failed",
        isError: true,
        text,
        details: { ...outcome.details, code: "hook_failed" },
      };
    }
  }
  return note === undefined ? outcome : { ...outcome, text: `${outcome.text}\n${note}` };
}

/** Callbacks get copies: changing one in place changes nothing that runs or is stored. */
function pending(id: string, tool: AnyTool, input: JsonObject): PendingCall {
  return { id, name: tool.name, kind: tool.kind, input: copied(input) };
}

/** Extensions are not type-checked here: a result of a wrong form is said to be one. */
function checked(outcome: ToolOutcome, tool: AnyTool): ToolOutcome {
  if (typeof outcome !== "object" || outcome === null || typeof outcome.text !== "string")
    return refusal("threw", `${tool.name} gave back no result that could be read.`);
  return {
    ...outcome,
    isError: outcome.isError === true,
    details: outcome.details ?? {},
    outcome: outcome.outcome ?? (outcome.isError ? "failed" : "found"),
  };
}
