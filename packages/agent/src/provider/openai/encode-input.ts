/** The history as items of the Responses API. */
import type {
  ResponseFunctionCallOutputItemList,
  ResponseInputContent,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import type { Json, JsonObject } from "../../contract/json.ts";
import type {
  AssistantMessage,
  AssistantPart,
  ImagePart,
  Message,
  ModelSource,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from "../../contract/messages.ts";
import { asObject, asText, sameSource } from "../shared/read.ts";
import { wellFormed, wellFormedJson } from "../shared/text.ts";

/** All items in order. Reasoning goes back to its own model only, and only from messages at or after `thinkingFrom`. */
export function encodeInput(
  messages: readonly Message[],
  source: ModelSource,
  thinkingFrom = 0,
): ResponseInputItem[] {
  return messages.flatMap((message, index): ResponseInputItem[] => {
    if (message.role === "tool") return message.parts.map(resultItem);
    if (message.role === "assistant") {
      // A message that was cut off holds items that the service never saw as whole.
      const own = !message.partial && index >= thinkingFrom && sameSource(message.source, source);
      return assistantItems(message, own);
    }
    const content = message.parts.flatMap(inputContent);
    return content.length === 0 ? [] : [{ type: "message", role: "user", content }];
  });
}

function inputContent(part: TextPart | ImagePart): ResponseInputContent[] {
  if (part.type === "image")
    return [{ type: "input_image", image_url: `data:${part.mimeType};base64,${part.data}`, detail: "auto" }];
  return part.text === "" ? [] : [{ type: "input_text", text: wellFormed(part.text) }];
}

/**
 * A reasoning item and the item that it led to must come together, each with its id, or the service refuses both: where
 * reasoning cannot be sent, the next item goes without its id, and reasoning that led to nothing is left out.
 */
function assistantItems(message: AssistantMessage, own: boolean): ResponseInputItem[] {
  const items: ResponseInputItem[] = [];
  let withId = own;
  for (const [index, part] of message.parts.entries()) {
    if (part.type !== "thinking") {
      const item = part.type === "text" ? textItem(part, withId) : callItem(part, withId);
      if (item) items.push(item);
      withId = own;
      continue;
    }
    const item = own && followed(message.parts, index) ? reasoningItem(part.opaque) : undefined;
    if (item) items.push(item);
    else withId = false;
  }
  return items;
}

/** True when an item of the answer follows that is sent. */
function followed(parts: readonly AssistantPart[], index: number): boolean {
  return parts
    .slice(index + 1)
    .some((part) => part.type === "tool_call" || (part.type === "text" && part.text !== ""));
}

/** The item as it came; without its encrypted content (or the open text of local models) the service could not find it. */
function reasoningItem(opaque: Json | undefined): ResponseInputItem | undefined {
  const item = asObject(opaque);
  if (item?.["type"] !== "reasoning") return undefined;
  const usable =
    asText(item["encrypted_content"]) !== "" ||
    (Array.isArray(item["content"]) && item["content"].length > 0);
  return usable ? (item as unknown as ResponseInputItem) : undefined;
}

function textItem(part: TextPart, withId: boolean): ResponseInputItem | undefined {
  if (part.text === "") return undefined;
  const text = wellFormed(part.text);
  const kept = asObject(part.opaque);
  const id = asText(kept?.["id"]);
  const phase = asText(kept?.["phase"]);
  if (!withId || id === "") return { type: "message", role: "assistant", content: text };
  const item: JsonObject = {
    type: "message",
    id,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
    ...(phase !== "" && { phase }),
  };
  return item as unknown as ResponseInputItem;
}

function callItem(part: ToolCallPart, withId: boolean): ResponseInputItem {
  const id = withId ? asText(asObject(part.opaque)?.["id"]) : "";
  return {
    type: "function_call",
    ...(id !== "" && { id }),
    call_id: part.id,
    name: part.name,
    arguments: argumentText(part),
  };
}

/** Of calls that were encoded before: each request holds all of them again. */
const argumentTexts = new WeakMap<ToolCallPart, string>();

function argumentText(part: ToolCallPart): string {
  const known = argumentTexts.get(part);
  if (known !== undefined) return known;
  const text = newArgumentText(part);
  argumentTexts.set(part, text);
  return text;
}

/** The text as the model wrote it, where it was kept and still means these arguments: changed bytes cost it its cache. */
function newArgumentText(part: ToolCallPart): string {
  const ours = JSON.stringify(wellFormedJson(part.arguments));
  const written = asText(asObject(part.opaque)?.["arguments"]);
  if (written === "" || part.problem) return ours;
  try {
    return JSON.stringify(JSON.parse(written)) === ours ? written : ours;
  } catch {
    // What was kept is not JSON: ours is.
    return ours;
  }
}

function resultItem(part: ToolResultPart): ResponseInputItem {
  const images = part.content.some((item) => item.type === "image");
  const text = part.content.map((item) => (item.type === "text" ? item.text : "")).join("");
  return {
    type: "function_call_output",
    call_id: part.id,
    output: images
      ? (part.content.flatMap(inputContent) as ResponseFunctionCallOutputItemList)
      : wellFormed(text),
  };
}
