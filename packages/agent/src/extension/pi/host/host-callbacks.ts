/** Where extensions act on prompts, requests, calls and compactions: our callbacks with the semantics of Pi's events. */
import type {
  BeforeToolDecision,
  Callbacks,
  PendingCall,
  PromptDecision,
} from "../../../contract/callbacks.ts";
import { errorMessage } from "../../../contract/errors.ts";
import { isJsonObject } from "../../../contract/json.ts";
import { type ImagePart, textOf, type UserMessage } from "../../../contract/messages.ts";
import type { ModelRequest } from "../../../contract/model.ts";
import type { ToolOutcome } from "../../../contract/tool.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { HostState, PendingMessage } from "./host-state.ts";
import { customMessage, store, takePending } from "./messages-out.ts";
import { PiContext } from "./pi-context.ts";
import { asJson, extensionDetails, partsOf, toPi } from "./pi-message.ts";
import type { RunEvents } from "./run-events.ts";

/** What `input` handlers made of a prompt. */
export type Admitted = { handled: string } | { message: UserMessage };

/** What a run is told of between its callbacks. */
export interface RunNotes {
  events: RunEvents | null;
  /** The prompt of the run has been through `input`. */
  admitted: boolean;
  /** Stored in place of the next message of a person. */
  instead: UserMessage | null;
  /** Stored behind the next message of a person. */
  behind: PendingMessage[];
}

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
      return await beforeTool(dispatcher, call, signal);
    },
    afterTool: (call, outcome, signal) => afterTool(dispatcher, call, outcome, signal),
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

/** Lets `input` handlers see what a person (or an extension) says, before anything else does. */
export async function admit(
  state: HostState,
  dispatcher: Dispatcher,
  message: UserMessage,
  streaming: "steer" | "followUp" | undefined,
  signal: AbortSignal,
): Promise<Admitted> {
  if (!dispatcher.has("input")) return { message };
  let handled: string | undefined;
  let current = message;
  const event = {
    type: "input",
    ...inputOf(message),
    source: state.ports?.mode === "rpc" ? "rpc" : "interactive",
    ...(streaming === undefined ? {} : { streamingBehavior: streaming }),
  };
  await dispatcher.dispatch(event, {
    signal,
    take(value, extension) {
      const { action, text, images } = (value ?? {}) as {
        action?: unknown;
        text?: unknown;
        images?: unknown;
      };
      if (action === "handled") handled = extension.name;
      if (action !== "transform" || typeof text !== "string") return handled !== undefined;
      const pictures = images === undefined ? imagesOf(current) : partsOf(images);
      current = { ...current, parts: [{ type: "text", text }, ...pictures] };
      Object.assign(event, inputOf(current));
      return false;
    },
  });
  return handled === undefined ? { message: current } : { handled };
}

function inputOf(message: UserMessage) {
  const images = imagesOf(message).map(({ data, mimeType }) => ({ type: "image", data, mimeType }));
  return { text: textOf(message.parts), images: images.length === 0 ? undefined : images };
}

function imagesOf(message: UserMessage): ImagePart[] {
  return message.parts.filter((part): part is ImagePart => part.type === "image");
}

/** `before_agent_start`: messages that go behind the prompt, and the system text of this run. */
export async function prepareAgent(
  state: HostState,
  dispatcher: Dispatcher,
  notes: RunNotes,
  message: UserMessage,
  signal: AbortSignal,
): Promise<void> {
  notes.behind.push(...takePending(state, "nextTurn"));
  const base = state.ports?.system() ?? "";
  if (!dispatcher.has("before_agent_start")) return;
  const options = systemPromptOptions(state);
  let system: string | null = null;
  const event = {
    type: "before_agent_start",
    messageType: "user",
    prompt: textOf(message.parts),
    images: imagesOf(message),
    systemPromptOptions: options,
    get systemPrompt() {
      return system ?? base;
    },
  };
  await dispatcher.dispatch(event, {
    signal,
    take(value) {
      const given = (value ?? {}) as {
        message?: { customType?: unknown; content?: unknown };
        systemPrompt?: unknown;
      };
      if (typeof given.systemPrompt === "string") system = given.systemPrompt;
      if (typeof given.message === "object" && given.message !== null)
        notes.behind.push(customMessage(given.message as Parameters<typeof customMessage>[0], "nextTurn"));
      return undefined;
    },
  });
  const added = [
    ...Object.entries(options.sections).map(([name, text]) => `<${name}>\n${String(text)}\n</${name}>`),
    ...(options.appendSystemPrompt === "" ? [] : [options.appendSystemPrompt]),
  ];
  const whole = options.forceSystemPrompt ?? system ?? base;
  state.system = added.length === 0 && whole === base ? null : [whole, ...added].join("\n\n");
}

function systemPromptOptions(state: HostState) {
  return {
    selectedTools: [] as string[],
    hiddenTools: [] as string[],
    toolSnippets: {},
    toolGuidelines: {},
    promptGuidelines: [] as string[],
    appendSystemPrompt: "",
    sections: {} as Record<string, unknown>,
    forceSystemPrompt: undefined as string | undefined,
    cwd: state.ports?.cwd ?? "",
    contextFiles: [],
    skills: [],
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
    await dispatcher.dispatch(event, {
      signal,
      take(value) {
        const given = (value as { messages?: unknown } | undefined)?.messages;
        if (Array.isArray(given)) event.messages = given;
        return undefined;
      },
    });
    messages = [...context.back(event.messages)];
  }
  if (dispatcher.has("before_provider_request"))
    await dispatcher.dispatch(
      { type: "before_provider_request", payload: asJson({ ...request, system, messages }) },
      { signal },
    );
  const same =
    system === request.system &&
    messages.length === request.messages.length &&
    messages.every((message, index) => message === request.messages[index]);
  return same ? undefined : { ...request, system, messages };
}

async function beforeTool(
  dispatcher: Dispatcher,
  call: PendingCall,
  signal: AbortSignal,
): Promise<BeforeToolDecision | undefined> {
  if (!dispatcher.has("tool_call")) return undefined;
  const before = JSON.stringify(call.input);
  const event = { type: "tool_call", toolName: call.name, toolCallId: call.id, input: call.input };
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

async function afterTool(
  dispatcher: Dispatcher,
  call: PendingCall,
  outcome: ToolOutcome,
  signal: AbortSignal,
): Promise<ToolOutcome | undefined> {
  if (!dispatcher.has("tool_result")) return undefined;
  const pictures = (outcome.images ?? []).map(({ data, mimeType }) => ({ type: "image", data, mimeType }));
  const event = {
    type: "tool_result",
    toolName: call.name,
    toolCallId: call.id,
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
