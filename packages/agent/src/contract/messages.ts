/**
 * The message model. Ours, not a vendor's: it keeps thinking signatures and opaque provider items byte for byte,
 * so that the same model gets back exactly what it sent.
 */
import type { Json, JsonObject } from "./json.ts";

/** Plain text. `opaque` is a provider item that belongs to this text (a Gemini signature, an OpenAI message id and phase). */
export interface TextPart {
  type: "text";
  text: string;
  opaque?: Json;
}

/** Reasoning. `signature` and `opaque` are echoed byte for byte to the model that made them and dropped for any other. */
export interface ThinkingPart {
  type: "thinking";
  text: string;
  signature?: string;
  opaque?: Json;
}

/** An image as base64 of its original bytes. */
export interface ImagePart {
  type: "image";
  mimeType: string;
  data: string;
}

/** Why a tool call can never run: its arguments were cut by the output limit or could not be parsed. */
export interface CallProblem {
  kind: "cut" | "malformed";
  /** For the model: what is wrong and where (parse position). */
  message: string;
  /** The raw argument text as received, bounded to 2,000 characters. */
  raw: string;
}

/** A request to run a tool. `id` is ours and unique in the conversation; a provider's own id lives in `opaque`. */
export interface ToolCallPart {
  type: "tool_call";
  id: string;
  name: string;
  arguments: JsonObject;
  problem?: CallProblem;
  opaque?: Json;
}

/** What a tool call gave back. `content` is what the model sees; `details` are for programs and never sent to a model. */
export interface ToolResultPart {
  type: "tool_result";
  id: string;
  name: string;
  content: (TextPart | ImagePart)[];
  isError: boolean;
  details?: JsonObject;
}

export type AssistantPart = TextPart | ThinkingPart | ToolCallPart;

/** Who put a user message there. Only `user` was typed by a person. */
export type UserOrigin =
  | "user"
  | "steering"
  | "reminder"
  | "memory"
  | "summary"
  /** Notes of a way of the conversation that the person left and took a summary of along. */
  | "branch_summary"
  | "continue"
  /** A command that the person ran (`!command`) with its output: `$ command`, the output, `(exit code N)`. */
  | "shell";

export interface UserMessage {
  role: "user";
  parts: (TextPart | ImagePart)[];
  origin: UserOrigin;
}

/** Which model made a message: thinking and opaque items are echoed only where all three are equal. */
export interface ModelSource {
  provider: string;
  wire: Wire;
  model: string;
}

/** Why a model stopped. `tool` = it wants tools run; `filtered` = the service refused to go on. */
export type ModelStop = "end" | "tool" | "length" | "filtered" | "aborted" | "error";

export interface AssistantMessage {
  role: "assistant";
  parts: AssistantPart[];
  source: ModelSource;
  stop: ModelStop;
  usage: Usage;
  /** Set when the stream ended early: the parts are what was received (`aborted` or `error`). */
  partial?: true;
}

/**
 * The results of one assistant message's calls, in call order. That is how a request carries them; in storage each result is a
 * message of its own, written as it finishes, so that a kill loses none.
 */
export interface ToolMessage {
  role: "tool";
  parts: ToolResultPart[];
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

/** The five protocols we speak. */
export type Wire = "anthropic" | "openai-responses" | "openai-chat" | "gemini" | "ollama";

/**
 * Tokens of one request (or a sum of requests). `input` counts what was neither read from nor written to a cache, so
 * `total = input + cache_read + cache_write + output`; `reasoning` is the part of `output` spent on thinking.
 * Names are those of the JSON event protocol.
 */
export interface Usage {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  reasoning: number;
  total: number;
  /** US dollars; absent when the model's price is not known. */
  cost_usd?: number;
}

/** A usage of zero, to add to. */
export function noUsage(): Usage {
  return { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0, total: 0 };
}

/** Adds two usages; the cost is known only if it is known for every side that used tokens. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    input: a.input + b.input,
    output: a.output + b.output,
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
    reasoning: a.reasoning + b.reasoning,
    total: a.total + b.total,
  };
  const known = (u: Usage) => u.cost_usd !== undefined || u.total === 0;
  if (known(a) && known(b) && (a.cost_usd !== undefined || b.cost_usd !== undefined))
    sum.cost_usd = (a.cost_usd ?? 0) + (b.cost_usd ?? 0);
  return sum;
}

/** The text of a message's text parts, joined. */
export function textOf(parts: readonly { type: string; text?: string }[]): string {
  let text = "";
  for (const part of parts) if (part.type === "text") text += part.text ?? "";
  return text;
}
