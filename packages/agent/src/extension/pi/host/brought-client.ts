/** A service that an extension speaks to itself (`streamSimple`), as a client of ours: Pi's events become ours, and back goes what it sent. */
import { errorMessage } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import {
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type ModelSource,
  type ModelStop,
  noUsage,
  type Usage,
} from "../../../contract/messages.ts";
import type {
  ModelClient,
  ModelError,
  ModelEvent,
  ModelInfo,
  ModelRequest,
} from "../../../contract/model.ts";
import type { PiModel } from "../pi-types.ts";
import { asJson, assistantToPi, toPi } from "./pi-message.ts";
import { toPiModel } from "./pi-model.ts";

/** `streamSimple` of a provider: gives an async iterable of Pi's events, at once or as a promise. */
export type StreamSimple = (model: object, context: object, options: object) => unknown;

export interface BroughtService {
  readonly provider: string;
  readonly baseUrl: string;
  /** Pi's name of the protocol, as the extension gave it. */
  readonly api: string;
  readonly apiKey?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: StreamSimple;
}

const STOPS: Readonly<Record<string, ModelStop>> = {
  stop: "end",
  length: "length",
  toolUse: "tool",
  aborted: "aborted",
};

/** What a refusal says in prose, since an extension gives nothing else. */
const ERRORS: readonly (Pick<ModelError, "code" | "retryable"> & { says: RegExp })[] = [
  { says: /\b429\b|rate.?limit/i, code: "rate", retryable: true },
  { says: /\b(?:500|502|503|504|529)\b|overloaded/i, code: "overloaded", retryable: true },
  { says: /\b(?:401|403)\b|unauthori[sz]ed|invalid api key/i, code: "auth", retryable: false },
  { says: /context.{0,20}(?:length|window)|prompt is too long/i, code: "overflow", retryable: false },
  { says: /fetch failed|ECONN|ENOTFOUND|socket/i, code: "network", retryable: true },
];

export function broughtClient(service: BroughtService): ModelClient {
  const source = (model: ModelInfo): ModelSource => ({
    provider: service.provider,
    wire: model.wire,
    model: model.id,
  });
  return {
    rules: { callId: /^[a-zA-Z0-9_-]{1,40}$/, toolName: /^[a-zA-Z0-9_-]{1,64}$/, imagesInResults: true },
    source,
    stream: (request, signal) => events(service, request, source(request.model), signal),
  };
}

async function* events(
  service: BroughtService,
  request: ModelRequest,
  source: ModelSource,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let text = "";
  const refused = (message: string): ModelEvent => ({
    type: "error",
    error: modelError(message),
    partial: text === "" ? [] : [{ type: "text", text }],
  });
  try {
    for await (const event of untilAborted(opened(service, request, source, signal), signal)) {
      const { type, delta, message, error } = event;
      if (type === "text_delta" && typeof delta === "string") {
        text += delta;
        yield { type: "text_delta", delta };
      } else if (type === "thinking_delta" && typeof delta === "string")
        yield { type: "thinking_delta", delta };
      else if (type === "done" && isJsonObject(asJson(message))) {
        yield { type: "end", message: answerOf(asJson(message) as JsonObject, request, source) };
        return;
      } else if (type === "error") {
        yield refused(String((error as { errorMessage?: unknown } | undefined)?.errorMessage ?? "it failed"));
        return;
      } else yield { type: "activity" };
    }
    if (!signal.aborted) yield refused("the stream of the extension ended without an answer");
  } catch (thrown) {
    yield refused(errorMessage(thrown));
  }
}

interface StreamEvent {
  type?: unknown;
  delta?: unknown;
  message?: unknown;
  error?: unknown;
}

async function opened(
  { stream, api, apiKey, baseUrl, headers }: BroughtService,
  request: ModelRequest,
  source: ModelSource,
  signal: AbortSignal,
): Promise<AsyncIterable<StreamEvent>> {
  const { door, model, system, tools, thinking, maxOutput, cacheKey } = request;
  const timestamp = Date.now();
  const declared = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const messages = [
    { role: "system", content: system, toolsAdded: declared, timestamp },
    ...request.messages.flatMap((message) => sentMessage(message, source, timestamp)),
  ];
  const piModel: PiModel = { ...toPiModel(model, baseUrl), api };
  const value = await stream(
    piModel,
    { systemPrompt: system, messages, tools: declared },
    {
      signal,
      headers,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(maxOutput === undefined ? {} : { maxTokens: maxOutput }),
      ...(thinking === "off" ? {} : { reasoning: thinking }),
      ...(cacheKey === undefined ? {} : { sessionId: cacheKey }),
      onPayload: (payload: unknown) => door?.payload?.(payload),
      onResponse: (answer: { status: number; headers: Record<string, string> }) =>
        door?.answered?.(answer.status, answer.headers),
    },
  );
  if (typeof (value as AsyncIterable<StreamEvent> | undefined)?.[Symbol.asyncIterator] !== "function")
    throw new Error("streamSimple gave no stream of events");
  return value as AsyncIterable<StreamEvent>;
}

/** What is read of a stream, without waiting for it after an abort. */
async function* untilAborted(
  stream: Promise<AsyncIterable<StreamEvent>>,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const aborted = Promise.withResolvers<null>();
  const stop = () => aborted.resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  stream.catch(() => undefined);
  try {
    const iterator = (await Promise.race([stream, aborted.promise]))?.[Symbol.asyncIterator]();
    while (iterator !== undefined) {
      const next = iterator.next();
      next.catch(() => undefined);
      const result = await Promise.race([next, aborted.promise]);
      if (result === null || result.done === true) return;
      yield result.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A message as the extension gets it; its own answers come back as it gave them, but for the ids of calls, which are ours. */
function sentMessage(message: Message, source: ModelSource, timestamp: number): object[] {
  if (message.role !== "assistant") return toPi(message, timestamp);
  const own = message.source.provider === source.provider && message.source.model === source.model;
  const plain = assistantToPi(message, timestamp);
  if (!own) return [{ ...plain, content: plain.content.filter(({ type }) => type !== "thinking") }];
  const content = message.parts.map((part, index) => {
    const kept = isJsonObject(part.opaque ?? null) ? (part.opaque as JsonObject) : {};
    return { ...kept, ...plain.content[index] };
  });
  return [{ ...plain, content }];
}

function answerOf(message: JsonObject, { messages }: ModelRequest, source: ModelSource): AssistantMessage {
  const used = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => ("id" in part ? [part.id] : []))),
  );
  const content = Array.isArray(message["content"]) ? message["content"].filter(isJsonObject) : [];
  const parts = content.flatMap((block) => partOf(block, used));
  return {
    role: "assistant",
    parts,
    source,
    stop: STOPS[String(message["stopReason"])] ?? "end",
    usage: usageOf(message["usage"]),
  };
}

/** The whole block rides along as `opaque`, so that signatures go back to the extension that gave them. */
function partOf(block: JsonObject, used: Set<string>): AssistantPart[] {
  const { type, text, thinking, id, name, arguments: args } = block;
  if (type === "text" && typeof text === "string") return [{ type, text, opaque: block }];
  if (type === "thinking" && typeof thinking === "string") return [{ type, text: thinking, opaque: block }];
  if (type !== "toolCall" || typeof name !== "string") return [];
  const own = unused(String(id ?? "call"), used);
  const called = isJsonObject(args ?? null) ? (args as JsonObject) : {};
  return [{ type: "tool_call", id: own, name, arguments: called, opaque: block }];
}

function unused(id: string, used: Set<string>): string {
  const base = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 34) || "call";
  let own = base;
  for (let n = 2; used.has(own); n++) own = `${base}_${n}`;
  used.add(own);
  return own;
}

function usageOf(value: unknown): Usage {
  const { input, output, cacheRead, cacheWrite, cost } = (value ?? {}) as Record<string, unknown>;
  const count = (given: unknown) => (typeof given === "number" && given > 0 ? Math.round(given) : 0);
  const counted = {
    input: count(input),
    output: count(output),
    cache_read: count(cacheRead),
    cache_write: count(cacheWrite),
  };
  const { total } = (cost ?? {}) as { total?: unknown };
  return {
    ...noUsage(),
    ...counted,
    total: counted.input + counted.output + counted.cache_read + counted.cache_write,
    ...(typeof total === "number" && total > 0 ? { cost_usd: total } : {}),
  };
}

function modelError(message: string): ModelError {
  const known = ERRORS.find(({ says }) => says.test(message));
  const { code, retryable } = known ?? { code: "unknown" as const, retryable: false };
  return { code, retryable, message: message.slice(0, 2_000) };
}
