import type { AssistantMessage, Message, UserMessage } from "../../contract/messages.ts";
import { noUsage, textOf } from "../../contract/messages.ts";
import type { SessionRecord } from "../../contract/session.ts";
import { SessionStore } from "../session-store.ts";

const START = Date.UTC(2026, 0, 1);

/** A store whose clock moves a second with each look. `later` seconds are added to the clock's start. */
export function storeOf(root: string, later = 0): { store: SessionStore; notices: string[] } {
  const notices: string[] = [];
  let time = START + later * 1_000;
  const now = () => {
    time += 1_000;
    return time;
  };
  return { store: new SessionStore({ root, now, onNotice: (message) => notices.push(message) }), notices };
}

export function user(text: string): UserMessage {
  return { role: "user", origin: "user", parts: [{ type: "text", text }] };
}

export function assistant(text: string): AssistantMessage {
  return {
    role: "assistant",
    parts: [{ type: "text", text }],
    source: { provider: "p", wire: "anthropic", model: "m" },
    stop: "end",
    usage: noUsage(),
  };
}

export function texts(messages: readonly Message[]): string[] {
  return messages.map((message) => textOf(message.parts as { type: string; text?: string }[]));
}

/** The records of a log that parse, a line each. */
export function readRecords(bytes: Uint8Array): (SessionRecord & { message: Message })[] {
  return Buffer.from(bytes)
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as SessionRecord & { message: Message }];
      } catch {
        // empty or torn
        return [];
      }
    });
}
