/** The order of messages in a chat, for services whose templates are strict about it. */
import type { JsonObject } from "../../contract/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  TextPart,
  ToolMessage,
  ToolResultPart,
} from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";

/** Stands for an image that the model could not read. */
export const IMAGE_LEFT_OUT = "[An image was left out: this model does not read images.]";

/** How a wire writes each message; no messages for one that it leaves out. */
export interface ChatEncoding {
  user(parts: readonly (TextPart | ImagePart)[]): JsonObject;
  assistant(message: AssistantMessage): JsonObject[];
  result(part: ToolResultPart): JsonObject;
  /** What people would call the result, in the line before its images. */
  nameOf(part: ToolResultPart): string;
}

/**
 * The conversation: the system text first, and neighbouring user messages as one, since templates of local models refuse two
 * in a row. Tool messages take text only, so that images of results follow in a user message.
 */
export function chatMessages(request: ModelRequest, encoding: ChatEncoding): JsonObject[] {
  const messages: JsonObject[] = [];
  let user: (TextPart | ImagePart)[] = [];
  const flush = () => {
    if (user.length > 0) messages.push(encoding.user(user));
    user = [];
  };
  if (request.system !== "") messages.push({ role: "system", content: request.system });
  for (const message of request.messages) {
    if (message.role === "user") {
      user.push(...message.parts);
      continue;
    }
    const encoded =
      message.role === "assistant"
        ? encoding.assistant(message)
        : message.parts.map((part) => encoding.result(part));
    if (encoded.length === 0) continue;
    flush();
    messages.push(...encoded);
    if (message.role === "tool") user.push(...imagesOf(message, encoding));
  }
  flush();
  return messages;
}

/** The text of a result; never empty, which some templates take for no result at all. */
export function resultText(part: ToolResultPart): string {
  const texts = part.content.filter((item) => item.type === "text").map((item) => item.text);
  const images = part.content.length > texts.length;
  return texts.join("\n") || (images ? "(images follow)" : "(no output)");
}

function imagesOf(message: ToolMessage, encoding: ChatEncoding): (TextPart | ImagePart)[] {
  return message.parts.flatMap((part) => {
    const images = part.content.filter((item) => item.type === "image");
    if (images.length === 0) return [];
    return [{ type: "text", text: `Images of the result of ${encoding.nameOf(part)}:` } as const, ...images];
  });
}
