import { withoutFrames } from "../../../core/capture/statements/spoken-text.ts";
import { FRAME_INSTRUCTION } from "../../../core/recall/frame.ts";
import type { PiBlock, PiEntry, PiMessage } from "../host-types.ts";
import { contentText } from "../message-text.ts";

/** A tool's result or call is worth so many characters of a summary's request. */
const LONGEST_RESULT = 2_000;
const LONGEST_CALL = 500;
/** Code has more tokens to a character than prose. */
const CHARACTERS_PER_TOKEN = 3;

/** A message as one piece of text; empty when it says nothing. What memory has recalled is no part of a conversation. */
export function messageText(message: PiMessage): string {
  const { role, content, summary, toolName, command, output } = message;
  const text = withoutFrames(contentText(content)).trim();
  switch (role) {
    case "system":
      return "";
    case "assistant":
      return [text === "" ? "" : `[Assistant] ${text}`, ...callsOf(content)]
        .filter((part) => part !== "")
        .join("\n");
    case "toolResult":
      return text === "" ? "" : `[Result of ${toolName ?? "a tool"}] ${cut(text, LONGEST_RESULT)}`;
    case "bashExecution":
      return `[The user ran] ${command ?? ""}\n${cut(withoutFrames(output ?? ""), LONGEST_RESULT)}`;
    case "compactionSummary":
    case "branchSummary":
      return summaryText(summary);
    default:
      return text === "" ? "" : `[${role === "user" ? "User" : "Context"}] ${text}`;
  }
}

/** An entry of the session as one piece of text; empty for what is no part of the conversation. */
export function entryText({ type, message, content, summary }: PiEntry): string {
  if (type === "message" && message !== undefined) return messageText(message);
  if (type === "custom_message")
    return messageText({ role: "custom", ...(content === undefined ? {} : { content }) });
  return type === "compaction" || type === "branch_summary" ? summaryText(summary) : "";
}

/** The newest pieces that fit into so many tokens, in their order; what is left out is said. */
export function newestPieces(pieces: readonly string[], tokens: number): string {
  const said = pieces.filter((piece) => piece !== "");
  let room = tokens * CHARACTERS_PER_TOKEN;
  let first = said.length;
  while (first > 0 && said[first - 1]!.length + 2 <= room) room -= said[--first]!.length + 2;
  const kept = said.slice(first);
  // One piece that alone is too long is better than none.
  if (kept.length === 0 && said.length > 0) kept.push(cut(said.at(-1)!, room));
  const left = said.length - kept.length;
  return [...(left > 0 ? [`[${left} earlier pieces are left out]`] : []), ...kept].join("\n\n");
}

function summaryText(summary: string | undefined): string {
  const text = withoutFrames(summary ?? "")
    .replaceAll(FRAME_INSTRUCTION, "")
    .trim();
  return text === "" ? "" : `[Summary of what was before] ${text}`;
}

function callsOf(content: string | readonly PiBlock[] | undefined): string[] {
  if (typeof content === "string" || content === undefined) return [];
  return content
    .filter(({ type }) => type === "toolCall")
    .map(
      ({ name, arguments: args }) =>
        `[Calls ${name ?? "a tool"}] ${cut(JSON.stringify(args) ?? "", LONGEST_CALL)}`,
    );
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()} [${text.length - longest} more characters]`;
}
