import type { Callbacks } from "../../contract/callbacks.ts";
import { textOf } from "../../contract/messages.ts";
import { framed } from "./framed.ts";
import { blockOf, type HookContext, reasonOf } from "./hook-context.ts";
import type { Hook } from "./hook-entry.ts";

/** A hook before a person's prompt: it may block it, or put a text before the model with it. */
export function promptHook(hook: Hook, context: HookContext): Callbacks {
  return {
    name: hook.name,
    async beforePrompt(message, signal) {
      const data = {
        prompt: textOf(message.parts),
        images: message.parts.filter((part) => part.type === "image").length,
        steering: message.origin === "steering",
      };
      const end = await context.run(hook, { event: "prompt", tool: null, input: null, data }, signal);
      const block = blockOf(hook, end, context.tell);
      if (block !== undefined) return { block };
      if (end.kind !== "answered" || end.answer.add === undefined) return undefined;
      return { context: framed("prompt", end.answer.add) };
    },
  };
}

/** A hook before a summary: it may keep the conversation as it is. */
export function compactHook(hook: Hook, context: HookContext): Callbacks {
  return {
    name: hook.name,
    async beforeCompact({ kind, tokens, focus }, signal) {
      const data = { kind, tokens, focus: focus ?? null };
      const end = await context.run(hook, { event: "before_compact", tool: null, input: null, data }, signal);
      const block = blockOf(hook, end, context.tell);
      return block === undefined ? undefined : { block };
    },
  };
}

/** A hook at the end of a run: it may tell the model what is still to be done. One that fails does not keep the run going. */
export function stopHook(hook: Hook, context: HookContext): Callbacks {
  return {
    name: hook.name,
    async beforeStop({ stop, text, turns, wentOn }, signal) {
      const data = { stop_reason: stop, text, turns, went_on: wentOn };
      const end = await context.run(hook, { event: "stop", tool: null, input: null, data }, signal);
      if (end.kind === "failed") context.tell(hook, end.why);
      const wish =
        end.kind === "blocked"
          ? reasonOf(hook, end.reason)
          : end.kind === "answered" && end.answer.goOn !== undefined
            ? reasonOf(hook, end.answer.goOn)
            : undefined;
      return wish === undefined ? undefined : { goOn: framed("stop", wish) };
    },
  };
}
