/** What tests of all wires share: settings for a test server, a request to fill in, and a stream read to its end. */
import type { ModelServer, Wire } from "@pi-ts/testkit";
import type { AssistantMessage, AssistantPart, Message } from "../../../contract/messages.ts";
import type {
  ModelClient,
  ModelError,
  ModelEvent,
  ModelInfo,
  ModelRequest,
  ProviderSettings,
} from "../../../contract/model.ts";

/** Settings that lead to a test server; `apiKey` is "test-key". */
export function settingsFor(
  server: ModelServer,
  wire: Wire,
  more: Partial<ProviderSettings> = {},
): ProviderSettings {
  return {
    provider: "test",
    wire,
    baseUrl: server.baseUrl(wire),
    apiKey: "test-key",
    headers: {},
    fetch: (input, init) => fetch(input, init),
    ...more,
  };
}

/** A known model with reasoning and images. */
export function modelOf(wire: Wire, more: Partial<ModelInfo> = {}): ModelInfo {
  return {
    provider: "test",
    id: "test-model",
    name: "Test Model",
    wire,
    known: true,
    contextWindow: 200_000,
    maxOutput: 8_000,
    images: true,
    reasoning: true,
    ...more,
  };
}

/** A request whose only message is "hello". */
export function requestOf(model: ModelInfo, more: Partial<ModelRequest> = {}): ModelRequest {
  return { model, system: "Be brief.", tools: [bash], messages: [user("hello")], thinking: "off", ...more };
}

/** A real PNG image of one pixel. */
export const pixel = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const;

/** A tool with one string. */
export const bash = {
  name: "bash",
  description: "Runs a command.",
  parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};

export function user(text: string): Message {
  return { role: "user", origin: "user", parts: [{ type: "text", text }] };
}

/** The results of an answer's calls, each with its call's id and name. */
export function results(answer: AssistantMessage, ...texts: string[]): Message {
  const calls = answer.parts.filter((part) => part.type === "tool_call");
  return {
    role: "tool",
    parts: calls.map((call, index) => ({
      type: "tool_result",
      id: call.id,
      name: call.name,
      content: [{ type: "text", text: texts[index] ?? "" }],
      isError: false,
    })),
  };
}

/** A stream, read to its end. Exactly one of `message` and `error` is set. */
export interface Run {
  events: ModelEvent[];
  /** The text deltas, joined. */
  shown: string;
  message: AssistantMessage | undefined;
  error: ModelError | undefined;
  partial: AssistantPart[];
  warnings: readonly string[];
}

/** Reads a stream, telling `seen` of each event as it comes; throws when it does not end with exactly one `end` or `error`. */
export async function run(
  client: ModelClient,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
  seen: (event: ModelEvent) => void = () => undefined,
): Promise<Run> {
  const result: Run = {
    events: [],
    shown: "",
    message: undefined,
    error: undefined,
    partial: [],
    warnings: [],
  };
  for await (const event of client.stream(request, signal)) {
    if (result.message || result.error) throw new Error(`an event after the end: ${JSON.stringify(event)}`);
    result.events.push(event);
    seen(event);
    if (event.type === "text_delta") result.shown += event.delta;
    if (event.type === "end") {
      result.message = event.message;
      result.warnings = event.warnings ?? [];
    }
    if (event.type === "error") {
      result.error = event.error;
      result.partial = event.partial;
    }
  }
  if (!result.message && !result.error) throw new Error("the stream just ended");
  return result;
}

/** A fetch that answers every request with this event stream, and the bodies that it was given. */
export function captured(answer: string): {
  fetch: ProviderSettings["fetch"];
  bodies: Record<string, unknown>[];
} {
  const bodies: Record<string, unknown>[] = [];
  return {
    bodies,
    fetch: async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return new Response(answer, { headers: { "content-type": "text/event-stream" } });
    },
  };
}

/** The answer of a run; throws with the error where there is none. */
export async function answerOf(client: ModelClient, request: ModelRequest): Promise<AssistantMessage> {
  const { message, error } = await run(client, request);
  if (!message) throw new Error(`the request failed: ${JSON.stringify(error)}`);
  return message;
}
