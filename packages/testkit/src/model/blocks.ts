/** What a scripted answer consists of: content, numbers, timing and faults, in the order in which they happen. */

/** Tokens as our users count them: `input` is what was neither read from nor written to a cache. */
export interface UsageNumbers {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  /** The part of `output` that was spent on thinking. */
  reasoning: number;
}

/**
 * Why the model stops. Words of ours become the wire's own; any other text goes out as it is
 * (`stop("RECITATION")` on Gemini, `stop("pause_turn")` on Anthropic).
 */
export type StopWord = "end" | "tool" | "length" | "filtered" | (string & {});

export type Block =
  | { kind: "say"; chunks: string[] }
  | { kind: "think"; chunks: string[]; signature?: string }
  | { kind: "redacted"; data: string }
  | { kind: "call"; name: string; argumentText: string; id?: string }
  | { kind: "usage"; numbers: Partial<UsageNumbers> }
  | { kind: "stop"; reason: StopWord }
  | { kind: "hold"; until: PromiseLike<unknown> }
  | { kind: "bytes"; data: Uint8Array }
  | { kind: "splitBytes"; size: number }
  | { kind: "comment"; text: string }
  | { kind: "ping" }
  | { kind: "fail"; status: number; body?: unknown; headers: Record<string, string> }
  | { kind: "cut" }
  | { kind: "end" }
  | { kind: "hang" }
  | { kind: "streamError"; type: string; message: string };

/** Text of the answer. A string is one delta; an array is one delta per element. */
export function say(text: string | string[]): Block {
  return { kind: "say", chunks: typeof text === "string" ? [text] : text };
}

/** Visible reasoning. Without `signature` the server makes one that depends on the text and on what came before. */
export function think(text: string | string[], options: { signature?: string } = {}): Block {
  return { kind: "think", chunks: typeof text === "string" ? [text] : text, ...options };
}

/** Reasoning that only its service can read (Anthropic `redacted_thinking`; a reasoning item without summary elsewhere). */
export function redacted(data: string): Block {
  return { kind: "redacted", data };
}

/** A tool call with arguments that are valid JSON. Without `id` the server makes a unique one. */
export function call(name: string, args: unknown = {}, options: { id?: string } = {}): Block {
  return { kind: "call", name, argumentText: JSON.stringify(args), ...options };
}

/**
 * A tool call whose argument text goes out as given: cut or broken JSON, duplicate keys. Gemini, whose arguments are
 * an object on the wire, answers broken text with MALFORMED_FUNCTION_CALL as the service does; Ollama sends it as a string.
 */
export function rawCall(name: string, argumentText: string, options: { id?: string } = {}): Block {
  return { kind: "call", name, argumentText, ...options };
}

/** Replaces the honest numbers of this answer; what is left out stays honest. */
export function usage(numbers: Partial<UsageNumbers>): Block {
  return { kind: "usage", numbers };
}

/** Why the model stops; without it `tool` when there were calls, else `end`. */
export function stop(reason: StopWord): Block {
  return { kind: "stop", reason };
}

/** Waits, mid-stream, until the promise settles or the client goes away. As the first block it delays the headers too. */
export function hold(until: PromiseLike<unknown>): Block {
  return { kind: "hold", until };
}

/** Raw bytes in the body, as they are. */
export function bytes(raw: string | Uint8Array): Block {
  return { kind: "bytes", data: typeof raw === "string" ? new TextEncoder().encode(raw) : raw };
}

/** From here on the body is written in pieces of `size` bytes, through characters and events alike. */
export function splitBytes(size: number): Block {
  if (!Number.isInteger(size) || size < 1)
    throw new Error(`splitBytes(${size}): the size must be a whole number above 0`);
  return { kind: "splitBytes", size };
}

/** A keep-alive that carries nothing: an SSE comment, on Ollama an empty line. */
export function comment(text: string): Block {
  return { kind: "comment", text };
}

/** The wire's own sign of life: Anthropic's `ping` event, a comment elsewhere. */
export function ping(): Block {
  return { kind: "ping" };
}

/**
 * The whole answer is this HTTP status. Without `body` it is the wire's own error form; a string body goes out as
 * text, anything else as JSON. Must be the first block.
 */
export function fail(
  status: number,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Block {
  return { kind: "fail", status, body: options.body, headers: options.headers ?? {} };
}

/** The connection is reset here. As the first block: before any header. */
export function cut(): Block {
  return { kind: "cut" };
}

/** The body ends cleanly here, without the wire's final event. */
export function end(): Block {
  return { kind: "end" };
}

/** Nothing more comes until the client leaves. As the first block not even the headers come. */
export function hang(): Block {
  return { kind: "hang" };
}

/** An error inside a stream that began with status 200; the body ends after it. */
export function streamError(type: string, message: string): Block {
  return { kind: "streamError", type, message };
}
