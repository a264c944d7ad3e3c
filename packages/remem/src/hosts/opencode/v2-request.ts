import { isOfferedTool, LEFT_OUT } from "./offered-tools.ts";
import type { RequestMessage, TextPiece } from "./v2-types.ts";

/** A message of ours says so: the host hands the same list to other plugins. */
const MARK = { source: "agentic-remem", trust: "untrusted" } as const;
const KEY_LENGTH = 200;

/** A prompt in a request, and the name it is known by: its id, else its place among the prompts with its words. */
export interface FoundPrompt {
  readonly key: string;
  readonly index: number;
  readonly words: string;
}

/** All prompts of a request with words of their own, oldest first. */
export function findPrompts(messages: readonly RequestMessage[]): FoundPrompt[] {
  const prompts: FoundPrompt[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== "user" || message.metadata?.["synthetic"] === true) continue;
    if (message.metadata?.["source"] === MARK.source) continue;
    const words = textOf(message.content);
    if (words !== "")
      prompts.push({
        key: message.id ?? `${prompts.length + 1} ${words.slice(0, KEY_LENGTH)}`,
        index,
        words,
      });
  }
  return prompts;
}

/** The message that goes before a prompt, of the same make as its neighbour. */
export function memoryMessage(prompt: RequestMessage, text: string): RequestMessage {
  return Object.assign(Object.create(Object.getPrototypeOf(prompt)) as object, {
    role: "user",
    content: [{ type: "text", text }],
    metadata: MARK,
  });
}

/** What memory tools answered, blanked in place, for whoever writes a summary. */
export function blankMemoryAnswers(messages: RequestMessage[]): void {
  for (const [index, message] of messages.entries()) {
    if (!message.content.some(isMemoryAnswer)) continue;
    const content = message.content.map((piece) =>
      isMemoryAnswer(piece) ? { ...piece, result: { type: "text", value: LEFT_OUT } } : piece,
    );
    const blanked = Object.create(Object.getPrototypeOf(message)) as RequestMessage;
    messages[index] = Object.assign(blanked, message, { content });
  }
}

/** The text among pieces of content. */
export function textOf(content: string | readonly TextPiece[] | undefined): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content
    .flatMap((piece) => (piece.type === "text" ? [piece.text ?? ""] : []))
    .join("\n")
    .trim();
}

function isMemoryAnswer({ type, name }: TextPiece): boolean {
  return type === "tool-result" && isOfferedTool(name);
}
