/** What extensions make of a prompt: `input` and `before_agent_start`. */
import { isJsonObject } from "../../../contract/json.ts";
import { type ImagePart, textOf, type UserMessage } from "../../../contract/messages.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { HostState, PendingMessage } from "./host-state.ts";
import { customMessage, takePending } from "./messages-out.ts";
import { partsOf } from "./pi-message.ts";
import { systemPromptOptions } from "./prompt-options.ts";
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
    ...Object.entries(isJsonObject(options.sections) ? options.sections : {}).map(
      ([name, text]) => `<${name}>\n${String(text)}\n</${name}>`,
    ),
    ...(options.appendSystemPrompt ? [options.appendSystemPrompt] : []),
  ];
  const whole = options.forceSystemPrompt ?? system ?? base;
  state.system = added.length === 0 && whole === base ? null : [whole, ...added].join("\n\n");
}
