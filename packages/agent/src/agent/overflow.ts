/** What is cut when a request does not fit the window: the biggest tool results, then older pasted texts. */
import type { ImagePart, Message, TextPart, ToolResultPart, UserMessage } from "../contract/messages.ts";
import type { Shortened } from "./repair/history.ts";

/** Texts up to this long are left alone. */
const SHORT_ENOUGH = 2_000;
const HEAD = 1_000;
const TAIL = 500;
const WINDOW_SHARE = 0.8;
const LEAST_SHARE = 0.3;
/** An image counts as this many characters. */
const IMAGE_CHARACTERS = 6_000;

interface Candidate {
  index: number;
  size: number;
  part: { result: ToolResultPart } | { user: UserMessage };
}

/** What to send shortened, and about how much of the whole that frees (0 to 1). */
export interface ShortenChoice {
  shortened: Shortened;
  freedShare: number;
}

/**
 * Chooses what to shorten so that `tokens` fit `window` again (at least 30 % is freed: the service's count may differ from ours).
 * Biggest first; never the newest message of the user. Undefined when nothing worth it can be cut.
 */
export function chooseShortened(
  messages: readonly Message[],
  tokens: number,
  window: number,
  isShortened: (part: ToolResultPart | UserMessage) => boolean,
): ShortenChoice | undefined {
  const candidates = candidatesIn(messages).filter(
    ({ part }) => !isShortened("result" in part ? part.result : part.user),
  );
  const all = messages.reduce((sum, message) => sum + sizeOfMessage(message), 0);
  const share = Math.max(LEAST_SHARE, 1 - (window * WINDOW_SHARE) / Math.max(1, tokens));
  const results = new Map<ToolResultPart, ToolResultPart>();
  const users = new Map<UserMessage, UserMessage>();
  let freed = 0;
  let from = messages.length;
  for (const { index, size, part } of candidates) {
    if (freed >= all * share) break;
    if ("result" in part) results.set(part.result, { ...part.result, content: shorten(part.result.content) });
    else users.set(part.user, { ...part.user, parts: shorten(part.user.parts) });
    freed += size - HEAD - TAIL;
    from = Math.min(from, index);
  }
  if (freed === 0) return undefined;
  return { shortened: { results, users, from, to: messages.length }, freedShare: Math.min(1, freed / all) };
}

function candidatesIn(messages: readonly Message[]): Candidate[] {
  const newest = messages.findLastIndex((message) => message.role === "user" && message.origin === "user");
  const found: Candidate[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool")
      for (const result of message.parts)
        found.push({ index, size: sizeOf(result.content), part: { result } });
    else if (message.role === "user" && index !== newest)
      found.push({ index, size: sizeOf(message.parts), part: { user: message } });
  }
  return found.filter(({ size }) => size > SHORT_ENOUGH).sort((a, b) => b.size - a.size);
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

function shorten(parts: readonly (TextPart | ImagePart)[]): TextPart[] {
  const images = parts.filter((part) => part.type === "image").length;
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const note = images === 0 ? "" : `[${images} image(s) left out to fit the context window]\n`;
  if (text.length <= SHORT_ENOUGH) return [{ type: "text", text: note + text }];
  const left = text.length - HEAD - TAIL;
  return [
    {
      type: "text",
      text: `${note}${text.slice(0, HEAD).toWellFormed()}\n[… ${left} of ${text.length} characters left out to fit the context window; look again at what you need, in smaller parts …]\n${text.slice(-TAIL).toWellFormed()}`,
    },
  ];
}
