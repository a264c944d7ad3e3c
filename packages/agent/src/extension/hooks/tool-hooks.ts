import type { BeforeToolDecision, Callbacks, PendingCall } from "../../contract/callbacks.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import { limited } from "./framed.ts";
import { blockOf, type HookContext } from "./hook-context.ts";
import type { Hook } from "./hook-entry.ts";
import { resultFields } from "./hook-input.ts";
import type { HookEnd } from "./run-hook.ts";
import { pathOf } from "./tool-matcher.ts";

/** A hook before a tool: it may block the call, ask a person, or change the input. */
export function beforeToolHook(hook: Hook, context: HookContext): Callbacks {
  const allowed = new Set<string>();
  return {
    name: hook.name,
    async beforeTool(call, signal) {
      if (!context.matches(hook, call)) return undefined;
      const { name: tool, input } = call;
      const end = await context.run(hook, { event: "before_tool", tool, input, data: input }, signal);
      const block = blockOf(hook, end, context.tell);
      if (block !== undefined) return { block: `Not run: a hook of the user blocks this call: ${block}` };
      if (end.kind !== "answered") return undefined;
      const { ask, input: changed } = end.answer;
      const key = JSON.stringify([tool, input]);
      if (ask !== undefined && !allowed.has(key)) {
        const answer = await consent(hook, context, { ...call, input: changed ?? input }, ask, signal);
        if (answer === "session") allowed.add(key);
        else if (answer !== "once") return answer;
      }
      return changed === undefined ? undefined : { input: changed };
    },
  };
}

async function consent(
  hook: Hook,
  { ask }: HookContext,
  call: PendingCall,
  reason: string,
  signal: AbortSignal,
): Promise<"once" | "session" | BeforeToolDecision> {
  const why = reason === "" ? `${hook.name} asks` : `${hook.name} asks: ${reason}`;
  if (ask === null)
    return {
      block: `Not run: a hook wants a person's consent first (${why}), and there is no terminal to ask on. Do without it, and say what was left undone.`,
    };
  const question = { call, rule: hook.name, reason: why, suggestions: [], lasting: false };
  const answer = await ask.decide(question, signal);
  if (answer.answer === "once") return "once";
  if (answer.answer !== "refuse") return "session";
  const said = answer.reason?.trim();
  return {
    block: `Not run: the user refused this call (${why})${said ? ` and said: ${said}` : ". Do not try it again in another form; ask what to do instead"}.`,
  };
}

/** A hook after a tool: it may replace the result's text or add to it. What the tool did stays done. */
export function afterToolHook(hook: Hook, context: HookContext): Callbacks {
  return {
    name: hook.name,
    async afterTool(call, outcome, signal) {
      if (!context.matches(hook, call)) return undefined;
      const occasion = {
        event: "after_tool",
        tool: call.name,
        input: call.input,
        ...resultFields(outcome),
      } as const;
      const before = call.kind === "edit" ? context.fingerprint(pathOf(call)) : null;
      const end = await context.run(hook, occasion, signal);
      const seen = answered(hook, end, outcome, context) ?? outcome;
      const touched = before !== null && context.fingerprint(pathOf(call)) !== before;
      const changed = touched ? added(seen, touchedNote(pathOf(call))) : seen;
      return changed === outcome ? undefined : changed;
    },
  };
}

/** The outcome as a hook leaves it; undefined when it says nothing. */
function answered(
  hook: Hook,
  end: HookEnd,
  outcome: ToolOutcome,
  { tell }: HookContext,
): ToolOutcome | undefined {
  const block = blockOf(hook, end, tell);
  if (block !== undefined) return added(outcome, `[a hook of the user objects: ${block}]`);
  if (end.kind !== "answered") return undefined;
  const { result, add } = end.answer;
  const changed = result === undefined ? outcome : { ...outcome, text: limited(result) };
  return add === undefined ? changed : added(changed, limited(add));
}

/** A formatter, say: the model would go on with a text that is no longer there. */
function touchedNote(path: string): string {
  return `[a hook of the user changed ${path} after that: read it again before you change it]`;
}

function added(outcome: ToolOutcome, text: string): ToolOutcome {
  return { ...outcome, text: outcome.text === "" ? text : `${outcome.text}\n${text}` };
}
