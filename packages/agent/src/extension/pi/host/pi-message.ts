/** Our messages in Pi's shapes, and back. What has no counterpart there (signatures, opaque items) stays with our own message. */
import { isJsonObject, type Json, type JsonObject } from "../../../contract/json.ts";
import {
  type AssistantMessage,
  type AssistantPart,
  type ImagePart,
  type Message,
  type ModelStop,
  noUsage,
  type TextPart,
  type ToolResultPart,
  textOf,
  type Usage,
  type UserMessage,
} from "../../../contract/messages.ts";
import type {
  PiAssistantMessage,
  PiImage,
  PiMessage,
  PiText,
  PiToolResultMessage,
  PiUsage,
} from "../pi-types.ts";

const STOPS: Readonly<Record<ModelStop, PiAssistantMessage["stopReason"]>> = {
  end: "stop",
  tool: "toolUse",
  length: "length",
  filtered: "error",
  aborted: "aborted",
  error: "error",
};

/** A message of ours as one or (results of several calls) more of Pi's. */
export function toPi(message: Message, timestamp: number): PiMessage[] {
  if (message.role === "assistant") return [assistantToPi(message, timestamp)];
  if (message.role === "tool") return message.parts.map((part) => resultToPi(part, timestamp));
  return [userToPi(message, timestamp)];
}

function userToPi(message: UserMessage, timestamp: number): PiMessage {
  const text = textOf(message.parts);
  if (message.origin === "summary")
    return { role: "compactionSummary", summary: text, tokensBefore: 0, timestamp };
  if (message.origin === "branch_summary")
    return { role: "branchSummary", summary: text, tokensBefore: 0, timestamp };
  if (message.origin === "reminder" || message.origin === "memory")
    return {
      role: "custom",
      customType: message.origin,
      content: content(message.parts),
      display: false,
      timestamp,
    };
  if (message.origin === "shell") {
    const [, command = "", output = "", code] =
      /^\$ ([^\n]*)\n([\s\S]*?)\n?(?:\(exit code (\d+)\))?$/.exec(text) ?? [];
    return {
      role: "bashExecution",
      command,
      output,
      exitCode: code === undefined ? undefined : Number(code),
      cancelled: false,
      truncated: false,
      timestamp,
    };
  }
  return { role: "user", content: content(message.parts), timestamp };
}

/** An answer as Pi has it. */
export function assistantToPi(message: AssistantMessage, timestamp: number): PiAssistantMessage {
  return {
    role: "assistant",
    content: message.parts.map((part) => {
      if (part.type === "thinking") return { type: "thinking", thinking: part.text };
      if (part.type === "text") return { type: "text", text: part.text };
      return { type: "toolCall", id: part.id, name: part.name, arguments: structuredClone(part.arguments) };
    }),
    api: message.source.wire,
    provider: message.source.provider,
    model: message.source.model,
    usage: usageToPi(message.usage),
    stopReason: STOPS[message.stop],
    timestamp,
  };
}

/** A usage as Pi has it; a price that is not known is 0 there. */
export function usageToPi(usage: Usage): PiUsage {
  return {
    input: usage.input,
    output: usage.output,
    cacheRead: usage.cache_read,
    cacheWrite: usage.cache_write,
    totalTokens: usage.total,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: usage.cost_usd ?? 0 },
  };
}

function resultToPi(part: ToolResultPart, timestamp: number): PiToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: part.id,
    toolName: part.name,
    content: content(part.content),
    ...(part.details === undefined ? {} : { details: structuredClone(extensionDetails(part.details)) }),
    isError: part.isError,
    timestamp,
  };
}

/** The details that an extension's own tool gave, which lie within ours; else ours. */
export function extensionDetails(details: JsonObject): unknown {
  return Object.hasOwn(details, "extension_details") ? details["extension_details"] : details;
}

function content(parts: readonly (TextPart | ImagePart)[]): (PiText | PiImage)[] {
  return parts.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "image", data: part.data, mimeType: part.mimeType },
  );
}

/** The parts of what an extension gave as content: a text, or texts and pictures. Anything else in it is left out. */
export function partsOf(value: unknown): (TextPart | ImagePart)[] {
  if (typeof value === "string") return [{ type: "text", text: value }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((part: unknown): (TextPart | ImagePart)[] => {
    if (typeof part !== "object" || part === null) return [];
    const { type, text, data, mimeType } = part as Record<string, unknown>;
    if (type === "text" && typeof text === "string") return [{ type: "text", text }];
    if (type === "image" && typeof data === "string" && typeof mimeType === "string")
      return [{ type: "image", data, mimeType }];
    return [];
  });
}

/** A message of an extension's as one of ours; null for a role that no model reads. */
export function fromPi(value: unknown): Message | null {
  if (typeof value !== "object" || value === null) return null;
  const message = value as Record<string, unknown>;
  switch (message["role"]) {
    case "user":
      return { role: "user", origin: "user", parts: partsOf(message["content"]) };
    case "custom":
      return { role: "user", origin: "reminder", parts: partsOf(message["content"]) };
    case "compactionSummary":
      return { role: "user", origin: "summary", parts: partsOf(message["summary"]) };
    case "branchSummary":
      return { role: "user", origin: "branch_summary", parts: partsOf(message["summary"]) };
    case "bashExecution":
      return {
        role: "user",
        origin: "shell",
        parts: partsOf(`$ ${String(message["command"])}\n${String(message["output"])}`),
      };
    case "toolResult":
      return { role: "tool", parts: [resultFromPi(message)] };
    case "assistant":
      return assistantFromPi(message);
    default:
      return null;
  }
}

function resultFromPi(message: Record<string, unknown>): ToolResultPart {
  return {
    type: "tool_result",
    id: String(message["toolCallId"]),
    name: String(message["toolName"]),
    content: partsOf(message["content"]),
    isError: message["isError"] === true,
  };
}

function assistantFromPi(message: Record<string, unknown>): AssistantMessage {
  const given = Array.isArray(message["content"])
    ? (message["content"] as unknown[])
    : partsOf(message["content"]);
  const parts = given.flatMap((part): AssistantPart[] => {
    if (typeof part !== "object" || part === null) return [];
    const { type, text, id, name, arguments: args } = part as Record<string, unknown>;
    if (type === "text" && typeof text === "string") return [{ type: "text", text }];
    if (type === "toolCall" && typeof id === "string" && typeof name === "string")
      return [{ type: "tool_call", id, name, arguments: isJsonObject(args) ? args : {} }];
    return [];
  });
  return {
    role: "assistant",
    parts,
    // Of no model of ours: thinking and opaque items are echoed to the one that made them only.
    source: { provider: "extension", wire: "openai-chat", model: "extension" },
    stop: parts.some((part) => part.type === "tool_call") ? "tool" : "end",
    usage: noUsage(),
  };
}

/** Any value as JSON that a session can keep; what JSON cannot hold becomes null, and so does a value that refers to itself. */
export function asJson(value: unknown): Json {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? null : (JSON.parse(text) as Json);
  } catch {
    // a circle, or a toJSON that throws
    return null;
  }
}
