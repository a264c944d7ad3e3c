/** From our request to the body of `/api/chat`. Pure: the same request gives the same bytes. */
import type { Json, JsonObject } from "../../contract/json.ts";
import type { AssistantMessage, ImagePart, ModelSource, TextPart } from "../../contract/messages.ts";
import { textOf } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import { chatMessages, IMAGE_LEFT_OUT, resultText } from "../shared/chat-messages.ts";
import { nearestLevel } from "../shared/levels.ts";
import { outputLimit } from "../shared/output-limit.ts";
import { sameSource } from "../shared/read.ts";
import { wellFormedJson } from "../shared/text.ts";
import { contextSize, isCloud } from "./context-size.ts";
import type { ShownModel } from "./show.ts";

/** What encoding depends on, besides the request. */
export interface EncodeContext {
  source: ModelSource;
  baseUrl: string;
  shown: ShownModel;
  dropped: ReadonlySet<string>;
  /** `num_ctx` of the request before; 0 for the first. */
  contextBefore: number;
}

/** The cloud refuses a larger answer. */
const CLOUD_ANSWER = 65_536;

/** A body, and the context that it asks for. */
export interface EncodedChat {
  body: JsonObject;
  messages: Json[];
  contextTokens: number;
}

/** The body of a streamed chat. `options.num_ctx` is always there: without it the service cuts the prompt to a few thousand tokens. */
export function encodeOllama(request: ModelRequest, context: EncodeContext): EncodedChat {
  const { model } = request;
  const cloud = isCloud(model.id, context.baseUrl);
  const messages = wellFormedJson(encodeMessages(request, context, cloud));
  const tools = request.tools.map(
    (tool): Json => ({
      type: "function",
      function: {
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters as unknown as JsonObject,
      },
    }),
  );
  const think = thinkValue(request, context.shown);
  const contextTokens = contextSize(request, context.shown, [messages, tools], cloud, context.contextBefore);
  const limit = outputLimit(request);
  const body: JsonObject = {
    model: model.id,
    messages,
    ...(tools.length > 0 && { tools: wellFormedJson(tools) }),
    stream: true,
    ...(think !== undefined && !context.dropped.has("think") && { think }),
    options: {
      num_ctx: contextTokens,
      ...(limit !== undefined && { num_predict: cloud ? Math.min(limit, CLOUD_ANSWER) : limit }),
    },
  };
  return { body, messages, contextTokens };
}

/**
 * `think`: a word for models that take words (the model's own table, or gpt-oss), else on or off. Models that think do so
 * unless told not to; for a model of which nothing is known it is only sent when thinking is wanted.
 */
function thinkValue({ model, thinking }: ModelRequest, shown: ShownModel): string | boolean | undefined {
  const reasoning = model.known ? model.reasoning : shown.thinking;
  if (reasoning === false) return undefined;
  if (thinking === "off") return reasoning === undefined ? undefined : false;
  const offered = nearestLevel(model, thinking);
  const word = model.levels?.[offered];
  if (word) return word;
  if (!/gpt-oss/.test(model.id)) return true;
  return offered === "minimal" || offered === "low" ? "low" : offered === "medium" ? "medium" : "high";
}

function encodeMessages(request: ModelRequest, context: EncodeContext, cloud: boolean): JsonObject[] {
  const blind = request.model.known ? !request.model.images : context.shown.images === false;
  return chatMessages(request, {
    user: (parts) => encodeUser(parts, blind),
    assistant: (message) => encodeAssistant(message, context, cloud),
    // Results have no ids here: the service pairs them with calls by their order and their tool's name.
    result: (part) => ({ role: "tool", tool_name: part.name, content: resultText(part) }),
    nameOf: (part) => part.name,
  });
}

function encodeUser(parts: readonly (TextPart | ImagePart)[], blind: boolean): JsonObject {
  const texts = parts.flatMap((part) => {
    if (part.type === "text") return [part.text];
    return blind ? [IMAGE_LEFT_OUT] : [];
  });
  const images = blind ? [] : parts.flatMap((part) => (part.type === "image" ? [part.data] : []));
  return { role: "user", content: texts.join("\n\n"), ...(images.length > 0 && { images }) };
}

function encodeAssistant(message: AssistantMessage, context: EncodeContext, cloud: boolean): JsonObject[] {
  const calls = message.parts.filter((part) => part.type === "tool_call");
  const content = textOf(message.parts);
  if (content === "" && calls.length === 0) return [];
  // Templates want the thinking between the calls of a turn; the cloud refuses it.
  const echo =
    calls.length > 0 &&
    !cloud &&
    !context.dropped.has("thinking") &&
    sameSource(message.source, context.source);
  const thinking = echo
    ? message.parts.map((part) => (part.type === "thinking" ? part.text : "")).join("")
    : "";
  return [
    {
      role: "assistant",
      content,
      ...(thinking !== "" && { thinking }),
      ...(calls.length > 0 && {
        tool_calls: calls.map((call): Json => ({ function: { name: call.name, arguments: call.arguments } })),
      }),
    },
  ];
}
