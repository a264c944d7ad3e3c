import type { Json, JsonObject } from "../../contract/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  ModelSource,
  TextPart,
  ThinkingPart,
} from "../../contract/messages.ts";
import { textOf } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import { chatMessages, IMAGE_LEFT_OUT, resultText } from "../shared/chat-messages.ts";
import { sameSource } from "../shared/read.ts";
import type { Dialect } from "./dialect.ts";
import { reasoningFields } from "./reasoning.ts";

/** What encoding a message depends on, besides the message. */
interface Context {
  request: ModelRequest;
  source: ModelSource;
  dialect: Dialect;
  dropped: ReadonlySet<string>;
}

/** The conversation in chat form: system first, neighbouring user messages as one, images never in tool messages. */
export function encodeMessages(
  request: ModelRequest,
  source: ModelSource,
  dialect: Dialect,
  dropped: ReadonlySet<string>,
): Json[] {
  const context: Context = { request, source, dialect, dropped };
  const messages = chatMessages(request, {
    user: (parts) => ({ role: "user", content: userContent(parts, context) }),
    assistant: (message) => encodeAssistant(message, context),
    result: (part) => ({ role: "tool", tool_call_id: wireId(part.id, dialect), content: resultText(part) }),
    nameOf: (part) => `${part.name} (${part.id})`,
  });
  if (dialect.cacheMarks && request.model.id.startsWith("anthropic/") && !dropped.has("cache_control"))
    markForCache(messages);
  return messages;
}

function userContent(parts: readonly (TextPart | ImagePart)[], { request }: Context): Json {
  const blind = request.model.known && !request.model.images;
  if (blind || parts.every((part) => part.type === "text")) {
    const texts = parts.map((part) => (part.type === "text" ? part.text : IMAGE_LEFT_OUT));
    return texts.join("\n\n");
  }
  return parts.map(
    (part): Json =>
      part.type === "text"
        ? { type: "text", text: part.text }
        : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

function encodeAssistant(
  message: AssistantMessage,
  { request, source, dialect, dropped }: Context,
): JsonObject[] {
  const own = sameSource(message.source, source);
  const calls = message.parts.filter((part) => part.type === "tool_call");
  const thinking = message.parts.filter((part): part is ThinkingPart => part.type === "thinking");
  const text = textOf(message.parts);
  // Neither text nor calls: servers refuse an empty answer, and there is nothing in it to remember.
  if (text === "" && calls.length === 0) return [];
  const encoded: JsonObject = { role: "assistant", content: text === "" ? null : text };
  if (calls.length > 0)
    encoded["tool_calls"] = calls.map((call) => ({
      id: wireId(call.id, dialect),
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      ...(own && call.opaque !== undefined && { extra_content: call.opaque }),
    }));
  if (own) Object.assign(encoded, reasoningFields(thinking, text, calls.length > 0));
  if (
    dialect.reasoningRequired &&
    calls.length > 0 &&
    request.model.reasoning &&
    request.thinking !== "off" &&
    encoded["reasoning_content"] === undefined
  )
    encoded["reasoning_content"] = "";
  for (const field of dropped) delete encoded[field];
  return [encoded];
}

/** A call's id as the service takes it; the same id always maps to the same one. */
function wireId(id: string, dialect: Dialect): string {
  if (!dialect.nineCharacterIds || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  let hash = 0xcbf29ce484222325n;
  for (const unit of id) hash = BigInt.asUintN(64, (hash ^ BigInt(unit.charCodeAt(0))) * 0x100000001b3n);
  return hash.toString(36).padStart(9, "0").slice(-9);
}

/** Claude behind a router caches only what is marked: the system text (and the tools before it) and the newest message. */
function markForCache(messages: JsonObject[]): void {
  for (const message of new Set([messages[0], messages.at(-1)])) {
    const content = message?.["content"];
    if (message === undefined || message["role"] === "assistant") continue;
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const last = Array.isArray(blocks) ? blocks.at(-1) : undefined;
    if (typeof last !== "object" || last === null || Array.isArray(last)) continue;
    message["content"] = [
      ...(blocks as Json[]).slice(0, -1),
      { ...last, cache_control: { type: "ephemeral" } },
    ];
  }
}
