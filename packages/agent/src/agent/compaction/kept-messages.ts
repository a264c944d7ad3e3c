/** Messages that a summary never stands for: what the person wrote, and the reminders that still hold. */
import type { ImagePart, Message, TextPart, UserMessage } from "../../contract/messages.ts";
import { textOf } from "../../contract/messages.ts";
import type { SpillDoor } from "../../contract/tool.ts";
import { CHARACTERS_A_TOKEN, shortened } from "./kept-text.ts";
import { imagesLeftOut, shortenContent } from "./shorten.ts";

/** A remainder of the budget smaller than this is not worth a cut message. */
const LEAST_TOKENS = 100;

/** True for what a person wrote. */
export function isPersons(message: Message): message is UserMessage {
  return message.role === "user" && (message.origin === "user" || message.origin === "steering");
}

export interface KeptMessages {
  /** In order. */
  messages: UserMessage[];
  /** How many had no place. */
  left: number;
  /** Tokens of the budget that are left. */
  room: number;
}

/**
 * As many of the person's messages as `budget` allows, the newest first, word for word but for their images; the one at the edge is
 * cut in its middle.
 */
export function keptPrompts(
  messages: readonly UserMessage[],
  budget: number,
  tokensOf: (message: Message) => number,
): KeptMessages {
  const kept: UserMessage[] = [];
  let room = budget;
  let left = 0;
  for (const message of [...messages].reverse()) {
    const plain = withoutImages(message);
    const tokens = tokensOf(plain);
    if (tokens <= room) {
      kept.unshift(plain);
      room -= tokens;
    } else if (room >= LEAST_TOKENS) {
      kept.unshift(cutTo(plain, room * CHARACTERS_A_TOKEN));
      room = 0;
    } else left++;
  }
  return { messages: kept, left, room };
}

/** The newest request, word for word with its images; where it takes more than `budget`, cut in its middle and kept in a file. */
export function keptRequest(
  message: UserMessage,
  budget: number,
  tokensOf: (message: Message) => number,
  spill: SpillDoor | undefined,
): UserMessage {
  if (tokensOf(message) <= budget) return message;
  return {
    ...message,
    parts: shortenContent(message.parts, "request", spill, budget * CHARACTERS_A_TOKEN),
  };
}

/** The reminders that fit, the newest first, each text once. */
export function keptReminders(
  messages: readonly Message[],
  budget: number,
  tokensOf: (message: Message) => number,
): UserMessage[] {
  const kept: UserMessage[] = [];
  const texts = new Set<string>();
  let room = budget;
  for (const message of [...messages].reverse()) {
    if (message.role !== "user" || message.origin !== "reminder") continue;
    const text = textOf(message.parts);
    const tokens = tokensOf(message);
    if (texts.has(text) || tokens > room) continue;
    texts.add(text);
    room -= tokens;
    kept.unshift(message);
  }
  return kept;
}

function withoutImages(message: UserMessage): UserMessage {
  const images = message.parts.filter((part) => part.type === "image").length;
  if (images === 0) return message;
  const parts: (TextPart | ImagePart)[] = message.parts.filter((part) => part.type === "text");
  return { ...message, parts: [...parts, { type: "text", text: imagesLeftOut(images) }] };
}

function cutTo(message: UserMessage, characters: number): UserMessage {
  const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const cut = shortened(text, characters, (left) => `[… ${left} characters left out …]`);
  return { ...message, parts: [{ type: "text", text: cut }] };
}
