/** What is cut when a request did not fit: the biggest tool results, then older pasted texts. */
import type { ImagePart, Message, TextPart, ToolResultPart, UserMessage } from "../../contract/messages.ts";
import type { SpillDoor } from "../../contract/tool.ts";
import { keepText, shortened } from "./kept-text.ts";

/** Texts up to this long are left alone. */
const SHORT_ENOUGH = 2_000;
const KEPT = 1_500;
const WINDOW_SHARE = 0.8;
const LEAST_SHARE = 0.3;
/** An image counts as this many characters. */
const IMAGE_CHARACTERS = 6_000;

type Long = ToolResultPart | UserMessage;

interface Candidate {
  size: number;
  part: Long;
}

/** What to shorten, and whether that is about enough. */
export interface ShortenChoice {
  parts: ReadonlySet<Long>;
  enough: boolean;
}

/**
 * Chooses what to shorten so that `tokens` fit `window` again (at least 30 % is freed: the service's count may differ from ours).
 * Biggest first; never the newest message of the user, nor a summary. `messages` is what is left of `whole`, which took `tokens`.
 */
export function chooseShortened(
  messages: readonly Message[],
  whole: readonly Message[],
  tokens: number,
  window: number,
): ShortenChoice {
  const all = sizeOfAll(whole);
  const share = Math.max(LEAST_SHARE, 1 - (window * WINDOW_SHARE) / Math.max(1, tokens));
  const parts = new Set<Long>();
  let freed = all - sizeOfAll(messages);
  for (const { size, part } of candidatesIn(messages)) {
    if (freed >= all * share) break;
    parts.add(part);
    freed += size - KEPT;
  }
  return { parts, enough: freed >= all * share };
}

function candidatesIn(messages: readonly Message[]): Candidate[] {
  const newest = messages.findLastIndex((message) => message.role === "user" && message.origin === "user");
  const found: Candidate[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool")
      for (const part of message.parts) found.push({ size: sizeOf(part.content), part });
    else if (message.role === "user" && index !== newest && message.origin !== "summary")
      found.push({ size: sizeOf(message.parts), part: message });
  }
  return found.filter(({ size }) => size > SHORT_ENOUGH).sort((a, b) => b.size - a.size);
}

function sizeOfAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + sizeOfMessage(message), 0);
}

function sizeOfMessage(message: Message): number {
  if (message.role === "user") return sizeOf(message.parts);
  if (message.role === "tool") return message.parts.reduce((sum, part) => sum + sizeOf(part.content), 0);
  return message.parts.reduce(
    (sum, part) =>
      sum + (part.type === "tool_call" ? JSON.stringify(part.arguments).length : part.text.length),
    0,
  );
}

function sizeOf(parts: readonly (TextPart | ImagePart)[]): number {
  return parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : IMAGE_CHARACTERS), 0);
}

/** Content cut to its beginning and its end (about `most` characters), without its images; the whole text goes into a file. */
export function shortenContent(
  parts: readonly (TextPart | ImagePart)[],
  label: string,
  spill: SpillDoor | undefined,
  most: number = KEPT,
): TextPart[] {
  const images = parts.filter((part) => part.type === "image").length;
  const whole = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const note = images === 0 ? "" : `${imagesLeftOut(images)}\n`;
  if (whole.length <= Math.max(most, SHORT_ENOUGH)) return [{ type: "text", text: note + whole }];
  const path = keepText(spill, label, whole);
  const where =
    path === undefined ? "look again at what you need, in smaller parts" : `all of it is in ${path}`;
  const text = shortened(
    whole,
    most,
    (left) => `[… ${left} of ${whole.length} characters left out to fit the context window; ${where} …]`,
  );
  return [{ type: "text", text: note + text }];
}

/** What stands for images that are no longer sent. */
export function imagesLeftOut(count: number): string {
  return `[${count} ${count === 1 ? "image" : "images"} left out to fit the context window]`;
}
