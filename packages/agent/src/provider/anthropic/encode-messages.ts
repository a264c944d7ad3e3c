/** The history in the form of the Messages API: roles alternate, results answer the calls right before them. */
import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { Json } from "../../contract/json.ts";
import type {
  AssistantMessage,
  AssistantPart,
  ImagePart,
  Message,
  ModelSource,
  TextPart,
  ToolResultPart,
} from "../../contract/messages.ts";
import { sameSource } from "../shared/read.ts";
import { wellFormed, wellFormedJson } from "../shared/text.ts";

type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** Neighbours of one role become one message; in a user message the results come first, as the service demands. Messages before `thinkingFrom` go without thinking, images that are `leftOut` as the words in their place. */
export function encodeMessages(
  messages: readonly Message[],
  source: ModelSource,
  { thinkingFrom, leftOut }: { thinkingFrom: number; leftOut: ReadonlyMap<ImagePart, string> },
): MessageParam[] {
  const inputBlock = (part: TextPart | ImagePart) => inputBlocks(part, leftOut);
  const encoded: { role: "user" | "assistant"; content: ContentBlockParam[] }[] = [];
  for (const [index, message] of messages.entries()) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content =
      message.role === "assistant"
        ? assistantBlocks(message, index >= thinkingFrom && sameSource(message.source, source))
        : message.role === "tool"
          ? resultBlocks(message.parts, inputBlock)
          : message.parts.flatMap(inputBlock);
    if (content.length === 0) continue;
    const last = encoded.at(-1);
    if (last?.role === role) last.content.push(...content);
    else encoded.push({ role, content });
  }
  for (const message of encoded) {
    if (message.role !== "user") continue;
    const results = message.content.filter((block) => block.type === "tool_result");
    if (results.length > 0)
      message.content = [...results, ...message.content.filter((block) => block.type !== "tool_result")];
  }
  return encoded;
}

/** Text and images; text of white space only is refused by the service, so it is left out. */
function inputBlocks(
  part: TextPart | ImagePart,
  leftOut: ReadonlyMap<ImagePart, string>,
): (TextBlockParam | ImageBlockParam)[] {
  if (part.type === "image") {
    const words = leftOut.get(part);
    if (words !== undefined) return [{ type: "text", text: words }];
    return [
      { type: "image", source: { type: "base64", media_type: part.mimeType as ImageType, data: part.data } },
    ];
  }
  return part.text.trim() === "" ? [] : [{ type: "text", text: wellFormed(part.text) }];
}

function assistantBlocks(message: AssistantMessage, own: boolean): ContentBlockParam[] {
  return message.parts.flatMap((part) => assistantBlock(part, own));
}

/** Thinking goes back only to the model that made it (`own`), byte for byte, and never without its signature. */
function assistantBlock(part: AssistantPart, own: boolean): ContentBlockParam[] {
  if (part.type === "thinking") {
    const data = redactedData(part.opaque);
    if (!own) return [];
    if (data !== undefined) return [{ type: "redacted_thinking", data }];
    return part.signature ? [{ type: "thinking", thinking: part.text, signature: part.signature }] : [];
  }
  if (part.type === "text")
    return part.text.trim() === "" ? [] : [{ type: "text", text: wellFormed(part.text) }];
  return [{ type: "tool_use", id: part.id, name: part.name, input: wellFormedJson(part.arguments) }];
}

/** Redacted thinking is kept as `{ redacted: data }`. */
function redactedData(opaque: Json | undefined): string | undefined {
  const data =
    typeof opaque === "object" && opaque !== null && !Array.isArray(opaque) ? opaque["redacted"] : undefined;
  return typeof data === "string" ? data : undefined;
}

/** Results in call order; images of failed results follow after all of them, since a failed result may hold text only. */
function resultBlocks(
  parts: readonly ToolResultPart[],
  inputBlock: (part: TextPart | ImagePart) => (TextBlockParam | ImageBlockParam)[],
): ContentBlockParam[] {
  const moved: ImageBlockParam[] = [];
  const results = parts.map((part): ToolResultBlockParam => {
    const blocks = part.content.flatMap(inputBlock);
    const content = part.isError ? blocks.filter((block) => block.type === "text") : blocks;
    if (part.isError) for (const block of blocks) if (block.type === "image") moved.push(block);
    return {
      type: "tool_result",
      tool_use_id: part.id,
      ...(content.length > 0 && { content }),
      ...(part.isError && { is_error: true }),
    };
  });
  return [...results, ...moved];
}
