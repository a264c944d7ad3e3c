/** From our request to a body of the Messages API. Pure: the same request gives the same bytes, so that caches stay warm. */
import type {
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ModelSource } from "../../contract/messages.ts";
import type { ModelRequest, ToolDeclaration } from "../../contract/model.ts";
import { outputLimit } from "../shared/output-limit.ts";
import type { EndpointLimits } from "../shared/refusals.ts";
import { wellFormed, wellFormedJson } from "../shared/text.ts";
import { encodeMessages } from "./encode-messages.ts";
import { imagesLeftOut } from "./image-limits.ts";
import { thinkingFields } from "./thinking.ts";

/** A body, and the beta features that its headers must name. */
export interface EncodedRequest {
  body: MessageCreateParamsStreaming;
  betas: string[];
}

/** Blocks of history that the service searches backwards from a cache mark for an earlier one (it says 20). */
const LOOK_BACK = 18;

/** The answer's limit in tokens: what was asked for, within what the model takes. */
function tokenLimit(request: ModelRequest): number {
  const { maxOutput, contextWindow } = request.model;
  // The field is a must here. Some catalogues give the window as the limit; the input needs room too.
  const own = maxOutput < contextWindow ? maxOutput : Math.floor(contextWindow / 2);
  return Math.max(1, outputLimit(request) ?? own);
}

/** `source` is whose thinking may be echoed. */
export function encodeRequest(
  request: ModelRequest,
  source: ModelSource,
  limits: EndpointLimits = { dropped: new Set(), thinkingFrom: 0 },
): EncodedRequest {
  const { dropped } = limits;
  const maxTokens = tokenLimit(request);
  const { thinking, effort, interleaved } = dropped.has("thinking")
    ? {}
    : thinkingFields(request.model, request.thinking, maxTokens);
  const messages = encodeMessages(request.messages, source, {
    thinkingFrom: limits.thinkingFrom,
    leftOut: imagesLeftOut(request.messages, request.model.contextWindow),
  });
  const system = wellFormed(request.system);
  const systemBlocks: TextBlockParam[] = system.trim() === "" ? [] : [{ type: "text", text: system }];
  const tools = wellFormedJson(request.tools.map(encodeTool)) as unknown as Tool[];
  if (!dropped.has("cache_control")) markCaches(systemBlocks, tools, messages);
  if (thinking && "display" in thinking && dropped.has("display"))
    delete (thinking as { display?: string }).display;
  // What differs from request to request stands after the messages: the bytes before them stay the same.
  const body: MessageCreateParamsStreaming = {
    model: request.model.id,
    stream: true,
    ...(systemBlocks.length > 0 && { system: systemBlocks }),
    ...(tools.length > 0 && { tools }),
    messages,
    max_tokens: maxTokens,
    ...(thinking && { thinking }),
    ...(effort && !dropped.has("output_config") && { output_config: { effort } }),
  };
  return { body, betas: interleaved && tools.length > 0 ? ["interleaved-thinking-2025-05-14"] : [] };
}

/** The service wants an object at the root, without alternatives beside its properties. */
function encodeTool({ name, description, parameters }: ToolDeclaration): Json {
  const { anyOf: _anyOf, oneOf: _oneOf, allOf: _allOf, ...schema } = parameters;
  return { name, description, input_schema: { ...(schema as JsonObject), type: "object" } };
}

type Marked = { cache_control?: { type: "ephemeral" } | null };

/**
 * Cache marks: one after tools and system, which never change; one at the end of the history, for the next request to
 * find; and one where the last request ended, when so much was added since that the search would not reach it.
 */
function markCaches(system: TextBlockParam[], tools: Tool[], messages: MessageParam[]): void {
  const mark = (block: Marked | undefined) => {
    if (block) block.cache_control = { type: "ephemeral" };
  };
  mark(system.at(-1) ?? tools.at(-1));
  const ends = messages.flatMap((message, index) => (message.role === "user" ? [index] : []));
  const [last, before] = [ends.at(-1), ends.at(-2)];
  if (last === undefined) return;
  mark(markable(messages[last]));
  if (before === undefined) return;
  const added = messages.slice(before + 1).reduce((sum, message) => sum + message.content.length, 0);
  if (added > LOOK_BACK) mark(markable(messages[before]));
}

/** The last block of a user message; an empty text may not carry a mark, and none is sent. */
function markable(message: MessageParam | undefined): Marked | undefined {
  return typeof message?.content === "string" ? undefined : (message?.content.at(-1) as Marked | undefined);
}
