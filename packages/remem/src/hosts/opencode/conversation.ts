import type { HostMessage, HostPart } from "./host-types.ts";
import { isOfferedTool, LEFT_OUT } from "./offered-tools.ts";

/** The words of a prompt: what neither the host nor a plugin put in. */
export function promptWords(parts: readonly HostPart[]): string {
  return parts
    .flatMap((part) =>
      part.type === "text" && part.synthetic !== true && part.ignored !== true ? [part.text ?? ""] : [],
    )
    .join("\n")
    .trim();
}

/** The newest prompt of a conversation: a user's message with words of its own; undefined when there is none. */
export function newestPrompt(
  messages: readonly HostMessage[],
): { readonly message: HostMessage; readonly words: string } | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!;
    if (message.info.role !== "user") continue;
    const words = promptWords(message.parts);
    if (words !== "") return { message, words };
  }
  return undefined;
}

/** Whether anything was answered yet. */
export function isFresh(messages: readonly HostMessage[]): boolean {
  return messages.every(({ info }) => info.role !== "assistant" || info.time.completed === undefined);
}

/** Puts a user's message with this text before the one with this id, in place; nothing happens when that one is not there. */
export function placeBefore(messages: HostMessage[], messageId: string, text: string): void {
  const at = messages.findIndex(({ info }) => info.id === messageId);
  if (at < 0) return;
  const { info } = messages[at]!;
  const id = `${messageId}_memory`;
  const part: HostPart = {
    id: `prt_${id}`,
    messageID: id,
    sessionID: info.sessionID,
    type: "text",
    synthetic: true,
    text,
  };
  messages.splice(at, 0, { info: { ...info, id }, parts: [part] });
}

/** What memory tools answered, blanked in place, for whoever writes a summary. */
export function blankMemoryResults(messages: readonly HostMessage[]): void {
  for (const { parts } of messages)
    for (const part of parts)
      if (part.type === "tool" && isOfferedTool(part.tool) && part.state?.output !== undefined)
        part.state = { ...part.state, output: LEFT_OUT };
}
