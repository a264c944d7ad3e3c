/** Where extensions act on prompts, requests, calls and compactions: our callbacks with the semantics of Pi's events. */
import type { Callbacks, PromptDecision } from "../../../contract/callbacks.ts";
import type { ModelRequest } from "../../../contract/model.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { HostState } from "./host-state.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { store, takePending } from "./messages-out.ts";
import { PiContext } from "./pi-context.ts";
import { toPi } from "./pi-message.ts";
import { admit, prepareAgent, type RunNotes } from "./prompt-events.ts";
import { afterTool, beforeTool } from "./tool-events.ts";
import { wireDoor } from "./wire-door.ts";

export function hostCallbacks(state: HostState, dispatcher: Dispatcher, notes: RunNotes): Callbacks {
  return {
    name: "extensions",
    async beforePrompt(message, signal): Promise<PromptDecision | undefined> {
      let sent = message;
      if (!notes.admitted) {
        const admitted = await admit(
          state,
          dispatcher,
          message,
          message.origin === "steering" ? "steer" : "followUp",
          signal,
        );
        if ("handled" in admitted) return { block: `the extension "${admitted.handled}" has taken it` };
        sent = admitted.message;
        notes.instead = sent === message ? null : sent;
      }
      notes.admitted = false;
      await prepareAgent(state, dispatcher, notes, sent, signal);
      await notes.events?.begin();
      return undefined;
    },
    async beforeModel(request, signal): Promise<ModelRequest | undefined> {
      await notes.events?.beforeRequest();
      return await changedRequest(state, dispatcher, request, signal);
    },
    afterModel: async (message) => (notes.events === null ? undefined : await notes.events.answered(message)),
    async beforeTool(call, signal) {
      await notes.events?.callBegins(call.id, call.name, call.input);
      return await beforeTool(state, dispatcher, call, signal);
    },
    afterTool: (call, outcome, signal) => afterTool(state, dispatcher, call, outcome, signal),
    async beforeCompact(info, signal) {
      let block: string | undefined;
      let summary: string | undefined;
      const event = {
        type: "session_before_compact",
        preparation: {
          firstKeptEntryId: state.sessionView?.getLeafId(),
          messagesToSummarize:
            state.ports?.session.messages().flatMap((each) => toPi(each, Date.now())) ?? [],
          turnPrefixMessages: [],
          isSplitTurn: false,
          tokensBefore: info.tokens,
          fileOps: { read: new Set(), written: new Set(), edited: new Set() },
          settings: { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 },
        },
        branchEntries: state.sessionView?.getBranch() ?? [],
        customInstructions: info.focus,
        reason: info.focus === undefined ? "threshold" : "manual",
        willRetry: false,
        signal,
      };
      if (!dispatcher.has(event.type)) return undefined;
      await dispatcher.dispatch(event, {
        signal,
        take: (value, extension) => {
          const { cancel, compaction } = (value ?? {}) as { cancel?: unknown; compaction?: unknown };
          if (cancel === true) block = `the extension "${extension.name}" does not want it now`;
          const { summary: own } = (compaction ?? {}) as { summary?: unknown };
          if (typeof own === "string" && own.trim() !== "") summary = own;
          return cancel === true;
        },
      });
      if (block !== undefined) return { block };
      return summary === undefined ? undefined : { summary };
    },
  };
}

async function changedRequest(
  state: HostState,
  dispatcher: Dispatcher,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelRequest | undefined> {
  const system = state.system ?? request.system;
  const steered = takePending(state, "steer");
  for (const each of steered) store(state, each);
  let messages = [...request.messages, ...steered.map(({ message }) => message)];
  if (dispatcher.has("context")) {
    const context = new PiContext(messages, Date.now());
    const event = { type: "context", messages: context.messages as unknown[] };
    let last: LoadedExtension | undefined;
    await dispatcher.dispatch(event, {
      signal,
      take(value, extension) {
        last = extension;
        const given = (value as { messages?: unknown } | undefined)?.messages;
        if (Array.isArray(given)) event.messages = given;
        return undefined;
      },
    });
    const left = Array.isArray(event.messages) ? context.back(event.messages) : [];
    // Services refuse a request without a message, and nothing that was said would be in it.
    if (left.length > 0) messages = [...left];
    else if (last !== undefined)
      state.faults.note(
        last,
        event.type,
        "left no message for the model in context; the request goes as it was",
      );
  }
  const door = wireDoor(dispatcher, state.faults, signal);
  const same =
    door === undefined &&
    system === request.system &&
    messages.length === request.messages.length &&
    messages.every((message, index) => message === request.messages[index]);
  return same ? undefined : { ...request, system, messages, ...(door === undefined ? {} : { door }) };
}
