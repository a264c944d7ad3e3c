import type { PiBlock, PiMessage } from "./host-types.ts";

/** The text of a message's content; other blocks than text are left out. */
export function contentText(content: string | readonly PiBlock[] | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .filter(({ type, text }) => type === "text" && typeof text === "string")
    .map(({ text }) => text)
    .join("\n");
}

/** What tells one prompt of a conversation from another one, also when Pi hands over a copy of it. */
export function promptKey(message: PiMessage): string {
  return `${message.timestamp ?? 0} ${contentText(message.content)}`;
}
