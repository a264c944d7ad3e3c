/** The callbacks around a run: before a prompt, before a summary, before the end. One that throws is told of and passed over. */
import type { Callbacks, CompactionInfo, RunEnd } from "../contract/callbacks.ts";
import { errorMessage } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { UserMessage } from "../contract/messages.ts";
import { waitUnlessAborted } from "./interrupt.ts";
import type { RunScope } from "./run-scope.ts";

type CallbackScope = Pick<RunScope, "callbacks" | "options">;

/** What the callbacks say to a person's prompt: why it is not to be sent, if so, and what goes with it. */
export async function* admitPrompt(
  scope: CallbackScope,
  message: UserMessage,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, { block?: string; context: string[] }> {
  const context: string[] = [];
  for (const callback of scope.callbacks) {
    const decision = yield* asked(
      scope,
      callback,
      "before a prompt",
      () => callback.beforePrompt?.(structuredClone(message), signal),
      signal,
    );
    if (decision?.block !== undefined)
      return { block: decision.block || `blocked by ${callback.name}`, context: [] };
    if (decision?.context) context.push(decision.context);
  }
  return { context };
}

/** Why no summary is to be made, or one that is there already (the last one counts). */
export async function* compactionWish(
  scope: CallbackScope,
  info: CompactionInfo,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, { block?: string; summary?: string }> {
  let summary: string | undefined;
  for (const callback of scope.callbacks) {
    const decision = yield* asked(
      scope,
      callback,
      "before a compaction",
      () => callback.beforeCompact?.({ ...info }, signal),
      signal,
    );
    if (decision?.block !== undefined) return { block: decision.block || `blocked by ${callback.name}` };
    summary = decision?.summary ?? summary;
  }
  return summary === undefined ? {} : { summary };
}

/** What the model is told so that it goes on; undefined: the run may end. All callbacks hear of the end. */
export async function* wishToGoOn(
  scope: CallbackScope,
  end: RunEnd,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, string | undefined> {
  const wishes: string[] = [];
  for (const callback of scope.callbacks) {
    const decision = yield* asked(
      scope,
      callback,
      "before the end",
      () => callback.beforeStop?.({ ...end }, signal),
      signal,
    );
    if (decision?.goOn) wishes.push(decision.goOn);
  }
  return wishes.length === 0 ? undefined : wishes.join("\n\n");
}

/** One callback's answer. An abort ends the wait at once. */
async function* asked<Decision>(
  { options }: CallbackScope,
  { name }: Callbacks,
  when: string,
  ask: () => Promise<Decision> | undefined,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Decision | undefined> {
  if (signal.aborted) return undefined;
  const work = ask();
  if (work === undefined) return undefined;
  const waited = await waitUnlessAborted(work, signal, options.clock, 0);
  if (waited.kind === "value") return waited.value;
  if (waited.kind === "thrown")
    yield {
      type: "notice",
      level: "warning",
      message: `${name} failed ${when}: ${errorMessage(waited.error)}`,
    };
  return undefined;
}
