/**
 * How much context to ask for. Ollama cuts a prompt that is longer than `num_ctx` without a word, keeps memory for all of
 * it, and loads the model anew when it changes: it starts small and doubles only when the conversation needs it.
 */
import type { Json } from "../../contract/json.ts";
import type { ModelRequest } from "../../contract/model.ts";
import type { ShownModel } from "./show.ts";

/** Tokens of the first request's context: enough for instructions, tools and some files. */
const START = 32_768;
/** Tokens kept for the answer where the request names no limit. */
const ANSWER = 4_096;
const IMAGE_TOKENS = 1_500;

/** Models that run in Ollama's cloud, here or through the local service: memory is no concern there. */
export function isCloud(model: string, baseUrl: string): boolean {
  return /[:-]cloud$/.test(model) || /^https?:\/\/(?:[^/]*\.)?ollama\.com(?:[:/]|$)/i.test(baseUrl);
}

/** `num_ctx` for a body's messages and tools; never less than `before`, the size of the request before. */
export function contextSize(
  request: ModelRequest,
  shown: ShownModel,
  content: Json,
  cloud: boolean,
  before: number,
): number {
  const { model } = request;
  const window = model.known
    ? model.contextWindow
    : Math.min(model.contextWindow, shown.contextLength ?? model.contextWindow);
  if (cloud) return window;
  const needed = mostTokens(content) + Math.min(request.maxOutput ?? ANSWER, window / 2);
  let size = Math.max(START, before);
  while (size < needed) size *= 2;
  return Math.min(size, window);
}

/** An upper estimate: code takes about three characters a token, other scripts about one. */
function mostTokens(content: Json): number {
  let tokens = 0;
  for (const text of textsOf(content)) tokens += text.length / 3 + (wideCharacters(text) * 2) / 3;
  return tokens;
}

/**
 * The least number of tokens that messages can take in any vocabulary: six and a half characters a token, runs of one
 * character nearly nothing, tools and thinking (which templates may leave out) nothing at all.
 */
export function leastTokens(messages: readonly Json[]): number {
  let units = 0;
  for (const message of messages) {
    const content = (message as { content?: unknown } | null)?.content;
    if (typeof content === "string") units += content.replace(/(.)\1{3,}/gsu, "$1").length;
  }
  return units / 6.5;
}

function wideCharacters(text: string): number {
  return text.length - text.replace(/[^\u0000-\u024f]/g, "").length;
}

/** All strings of a value, images as what they cost. */
function* textsOf(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      if (key === "images" && Array.isArray(item)) for (const _ of item) yield " ".repeat(IMAGE_TOKENS * 3);
      else yield* textsOf(item);
    }
}
