/** Messages as a session file gives them: another program, another version or a bad disk may have written anything. */
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { type Message, noUsage, type Usage } from "../contract/messages.ts";

/**
 * A stored value as a message that the loop and every encoder can rely on; parts that are none are left out, and a usage that is none
 * is zero. Null: no message at all.
 */
export function storedMessage(value: unknown): Message | null {
  if (!isJsonObject(value) || !Array.isArray(value["parts"])) return null;
  const { role } = value;
  if (role === "user") {
    const origin = typeof value["origin"] === "string" ? value["origin"] : "user";
    return rebuilt(value, isContent, { origin });
  }
  if (role === "tool") return rebuilt(value, isResult, {});
  const { source, usage, stop } = value;
  const known = isJsonObject(source) && ["provider", "wire", "model"].every((key) => isText(source[key]));
  if (role !== "assistant" || !known) return null;
  return rebuilt(value, isAnswer, {
    usage: isUsage(usage) ? usage : noUsage(),
    stop: isText(stop) ? stop : "end",
  });
}

/** The value itself where nothing had to change, so that a session of ours costs no copies. */
function rebuilt(
  value: JsonObject,
  fits: (part: unknown) => boolean,
  fields: Readonly<Record<string, unknown>>,
): Message {
  const parts = value["parts"] as unknown[];
  const same = Object.entries(fields).every(([key, field]) => value[key] === field);
  const message = same && parts.every(fits) ? value : { ...value, ...fields, parts: parts.filter(fits) };
  return message as unknown as Message;
}

function isContent(part: unknown): boolean {
  if (!isJsonObject(part)) return false;
  return part["type"] === "text"
    ? isText(part["text"])
    : part["type"] === "image" && isText(part["mimeType"]) && isText(part["data"]);
}

function isAnswer(part: unknown): boolean {
  if (!isJsonObject(part)) return false;
  if (part["type"] === "tool_call")
    return isText(part["id"]) && isText(part["name"]) && isJsonObject(part["arguments"]);
  return (part["type"] === "text" || part["type"] === "thinking") && isText(part["text"]);
}

function isResult(part: unknown): boolean {
  if (!isJsonObject(part) || part["type"] !== "tool_result") return false;
  const { id, name, content } = part;
  return isText(id) && isText(name) && Array.isArray(content) && content.every(isContent);
}

function isUsage(value: unknown): value is Usage & JsonObject {
  return isJsonObject(value) && Object.keys(noUsage()).every((key) => Number.isFinite(value[key]));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
