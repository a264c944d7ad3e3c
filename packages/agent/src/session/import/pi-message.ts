import type { Json, JsonObject } from "../../contract/json.ts";
import {
  type AssistantPart,
  type ImagePart,
  type Message,
  type ModelStop,
  noUsage,
  type TextPart,
  type Usage,
  type UserOrigin,
  type Wire,
} from "../../contract/messages.ts";
import type { ImportNotes } from "./imported-log.ts";
import { type CallIds, numberIn, objectIn, objectsIn, textIn } from "./values.ts";

const WIRES: Readonly<Record<string, Wire>> = {
  "anthropic-messages": "anthropic",
  "openai-responses": "openai-responses",
  "openai-completions": "openai-chat",
  "google-generative-ai": "gemini",
};

const STOPS: Readonly<Record<string, ModelStop>> = {
  stop: "end",
  length: "length",
  toolUse: "tool",
  error: "error",
  aborted: "aborted",
};

/** A message of Pi's as one of ours; null for one that has no place, which is then noted. */
export function piMessage(message: JsonObject, ids: CallIds, notes: ImportNotes): Message | null {
  switch (message["role"]) {
    case "user":
      return userMessage(message["content"], "user");
    case "assistant":
      return assistantMessage(message, ids, notes);
    case "toolResult":
      return toolMessage(message, ids);
    case "bashExecution":
      return shellMessage(message);
    case "custom":
      return userMessage(message["content"], "reminder");
    case "system":
      notes.leftOut("system prompt (pi writes its own)", "system prompts (pi writes its own)");
      return null;
    default:
      notes.leftOut(`message of the role "${String(message["role"]).slice(0, 40)}"`);
      return null;
  }
}

/** A text of Pi's (or a list of texts and pictures) as a user's message; null for nothing. */
export function userMessage(content: Json | undefined, origin: UserOrigin): Message | null {
  const parts = contentOf(content);
  return parts.length === 0 ? null : { role: "user", origin, parts };
}

function contentOf(content: Json | undefined): (TextPart | ImagePart)[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return objectsIn({ content: content ?? null }, "content").flatMap((part): (TextPart | ImagePart)[] => {
    const text = textIn(part, "text");
    if (part["type"] === "text" && text !== undefined) return [{ type: "text", text }];
    const [mimeType, data] = [textIn(part, "mimeType"), textIn(part, "data")];
    return part["type"] === "image" && mimeType !== undefined && data !== undefined
      ? [{ type: "image", mimeType, data }]
      : [];
  });
}

function assistantMessage(message: JsonObject, ids: CallIds, notes: ImportNotes): Message {
  const api = textIn(message, "api") ?? "";
  const wire = WIRES[api] ?? "openai-chat";
  const parts = objectsIn(message, "content").flatMap((part): AssistantPart[] => {
    const text = textIn(part, "text");
    if (part["type"] === "text" && text !== undefined) return [{ type: "text", text }];
    if (part["type"] === "thinking") return thinkingPart(part, wire, notes);
    const name = textIn(part, "name");
    if (part["type"] === "toolCall" && name !== undefined)
      return [
        {
          type: "tool_call",
          id: ids.of(textIn(part, "id") ?? ""),
          name,
          arguments: objectIn(part, "arguments"),
        },
      ];
    return [];
  });
  const stop = STOPS[textIn(message, "stopReason") ?? ""] ?? "end";
  return {
    role: "assistant",
    parts,
    source: {
      provider: textIn(message, "provider") ?? "unknown",
      wire,
      model: textIn(message, "model") ?? "unknown",
    },
    usage: usageOf(objectIn(message, "usage")),
    stop,
    ...(stop === "error" || stop === "aborted" ? { partial: true } : {}),
  };
}

/** A signature goes back to the service byte for byte: only Anthropic's has the same form on both sides. */
function thinkingPart(part: JsonObject, wire: Wire, notes: ImportNotes): AssistantPart[] {
  const text = textIn(part, "thinking") ?? "";
  const signature = textIn(part, "thinkingSignature");
  if (part["redacted"] === true) {
    notes.leftOut("piece of hidden thinking", "pieces of hidden thinking");
    return [];
  }
  const keeps = wire === "anthropic" && signature !== undefined && signature !== "";
  return text === "" && !keeps ? [] : [{ type: "thinking", text, ...(keeps ? { signature } : {}) }];
}

function usageOf(usage: JsonObject): Usage {
  const cost = numberIn(objectIn(usage, "cost"), "total");
  const sum: Usage = {
    ...noUsage(),
    input: numberIn(usage, "input"),
    output: numberIn(usage, "output"),
    cache_read: numberIn(usage, "cacheRead"),
    cache_write: numberIn(usage, "cacheWrite"),
    ...(cost > 0 ? { cost_usd: cost } : {}),
  };
  sum.total = sum.input + sum.output + sum.cache_read + sum.cache_write;
  return sum;
}

function toolMessage(message: JsonObject, ids: CallIds): Message {
  return {
    role: "tool",
    parts: [
      {
        type: "tool_result",
        id: ids.of(textIn(message, "toolCallId") ?? ""),
        name: textIn(message, "toolName") ?? "unknown",
        content: contentOf(message["content"]),
        isError: message["isError"] === true,
        ...(Object.keys(objectIn(message, "details")).length > 0
          ? { details: objectIn(message, "details") }
          : {}),
      },
    ],
  };
}

function shellMessage(message: JsonObject): Message {
  const code = message["exitCode"];
  const lines = [`$ ${textIn(message, "command") ?? ""}`, (textIn(message, "output") ?? "").trimEnd()];
  if (typeof code === "number") lines.push(`(exit code ${code})`);
  const text = lines.filter((line) => line !== "").join("\n");
  return { role: "user", origin: "shell", parts: [{ type: "text", text }] };
}
