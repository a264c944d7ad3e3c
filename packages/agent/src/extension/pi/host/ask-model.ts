import { errorMessage } from "../../../contract/errors.ts";
import { isJsonObject, type JsonSchema } from "../../../contract/json.ts";
import { type AssistantMessage, type Message, noUsage } from "../../../contract/messages.ts";
import type { ModelRequest, ToolDeclaration } from "../../../contract/model.ts";
import type { PiAssistantMessage } from "../pi-types.ts";
import { AnswerStream } from "./answer-stream.ts";
import type { ModelsPort, OpenModel } from "./host-ports.ts";
import { assistantToPi, fromPi } from "./pi-message.ts";
import { thinkingLevel } from "./pi-model.ts";

/** What an extension asks a model: unchecked. */
export interface Asked {
  systemPrompt?: unknown;
  messages?: unknown;
  tools?: unknown;
}

export interface AskOptions {
  signal?: AbortSignal;
  maxTokens?: number;
  reasoning?: unknown;
}

/** Fewer characters a token than any text has, so that the day's limit is not passed. */
const CHARACTERS_A_TOKEN = 3;
const USUAL_OUTPUT = 4_096;

/** Asks a model on behalf of an extension, with the person's own key, counted in the day's tokens. The stream's end says what failed. */
export function askModel(
  models: ModelsPort,
  wanted: { provider: string; id: string },
  asked: Asked,
  options: AskOptions,
): AnswerStream {
  const stream = new AnswerStream();
  void answer(models, wanted, asked, options, stream).catch((thrown: unknown) => {
    const error = failed(wanted, errorMessage(thrown));
    stream.push({ type: "error", reason: "error", error });
  });
  return stream;
}

async function answer(
  models: ModelsPort,
  wanted: { provider: string; id: string },
  asked: Asked,
  options: AskOptions,
  stream: AnswerStream,
): Promise<void> {
  const opened = await models.open(wanted.provider, wanted.id);
  const request = requestOf(opened, asked, options);
  const signal = options.signal ?? new AbortController().signal;
  const size = request.system.length + JSON.stringify(request.messages).length;
  const reservation = models.reserve(
    Math.ceil(size / CHARACTERS_A_TOKEN) + (request.maxOutput ?? USUAL_OUTPUT),
  );
  const used = { input: 0, output: 0, requests: 1 };
  let partial = "";
  const started = () => failed(wanted, undefined, partial);
  stream.push({ type: "start", partial: started() });
  try {
    for await (const event of opened.client.stream(request, signal)) {
      if (event.type === "text_delta") {
        partial += event.delta;
        stream.push({ type: "text_delta", contentIndex: 0, delta: event.delta, partial: started() });
      } else if (event.type === "thinking_delta")
        stream.push({ type: "thinking_delta", contentIndex: 0, delta: event.delta, partial: started() });
      else if (event.type === "error") {
        stream.push({ type: "error", reason: "error", error: failed(wanted, event.error.message, partial) });
        return;
      } else if (event.type === "end") {
        const { input, cache_read, cache_write, output } = event.message.usage;
        Object.assign(used, { input: input + cache_read + cache_write, output });
        const message = assistantToPi(event.message, Date.now());
        stream.push({ type: "done", reason: message.stopReason, message });
        return;
      }
    }
    const error = { ...failed(wanted, "the request was stopped", partial), stopReason: "aborted" as const };
    stream.push({ type: "error", reason: "aborted", error });
  } finally {
    reservation.settle(used);
  }
}

function requestOf({ model }: OpenModel, asked: Asked, options: AskOptions): ModelRequest {
  const given = Array.isArray(asked.messages) ? (asked.messages as unknown[]) : [];
  const messages = given.map(fromPi).filter((message): message is Message => message !== null);
  return {
    model,
    system: typeof asked.systemPrompt === "string" ? asked.systemPrompt.toWellFormed() : "",
    tools: toolsOf(asked.tools),
    messages,
    ...(options.maxTokens === undefined ? {} : { maxOutput: options.maxTokens }),
    thinking: thinkingLevel(options.reasoning) ?? "off",
  };
}

function toolsOf(tools: unknown): ToolDeclaration[] {
  if (!Array.isArray(tools)) return [];
  return (tools as unknown[]).filter(isJsonObject).map(({ name, description, parameters }) => ({
    name: String(name),
    description: String(description ?? ""),
    parameters: JSON.parse(JSON.stringify(parameters ?? { type: "object", properties: {} })) as JsonSchema,
  }));
}

function failed(
  wanted: { provider: string; id: string },
  why: string | undefined,
  text = "",
): PiAssistantMessage {
  const message: AssistantMessage = {
    role: "assistant",
    parts: text === "" ? [] : [{ type: "text", text }],
    source: { provider: wanted.provider, wire: "openai-chat", model: wanted.id },
    stop: why === undefined ? "end" : "error",
    usage: noUsage(),
  };
  return { ...assistantToPi(message, Date.now()), ...(why === undefined ? {} : { errorMessage: why }) };
}
