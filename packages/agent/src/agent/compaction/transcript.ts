/** A conversation as text, for a model that has to summarise it. */
import { isMemoryTool, isRecalled } from "../../contract/memory.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolResultPart,
} from "../../contract/messages.ts";
import { isFileList } from "./file-list.ts";
import { shortened } from "./kept-text.ts";

/** Characters of each kind of text, from generous to sparse. */
interface Sizes {
  prompt: number;
  answer: number;
  input: number;
  result: number;
}

const SIZES: readonly Sizes[] = [
  { prompt: 8_000, answer: 4_000, input: 500, result: 2_000 },
  { prompt: 4_000, answer: 2_000, input: 300, result: 600 },
  { prompt: 1_500, answer: 600, input: 150, result: 150 },
];
/** The part of the room that earlier summaries may take, all of them together. */
const SUMMARY_SHARE = 0.4;

/**
 * At most about `mostTokens`: first long texts are cut, then messages are left out, the oldest first; an earlier summary stays. What
 * was left out is said.
 */
export function transcriptOf(
  messages: readonly Message[],
  mostTokens: number,
  tokensOf: (text: string) => number,
): string {
  const summaries = messages.filter(isSummary);
  // What was recalled is in memory; in a summary it would look as if it had been said here.
  const rest = messages.filter((message) => !summaries.includes(message) && !isRecalled(message));
  const earlier = summaries
    .map((message) =>
      render(message, sizesFor(Math.floor((mostTokens * SUMMARY_SHARE) / summaries.length) * 3)),
    )
    .join("\n\n");
  const room = mostTokens - tokensOf(earlier);
  let items: string[] = [];
  let tokens: number[] = [];
  for (const sizes of SIZES) {
    items = rest.map((message) => render(message, sizes)).filter((item) => item !== "");
    tokens = items.map((item) => tokensOf(item) + 2);
    if (sum(tokens) <= room) break;
  }
  let total = sum(tokens);
  let first = 0;
  while (total > room && first < items.length) total -= tokens[first++]!;
  const note = first === 0 ? [] : [`[${first} earlier messages are left out here]`];
  return [...(earlier === "" ? [] : [earlier]), ...note, ...items.slice(first)].join("\n\n");
}

/** True for what another model wrote down of what is not here any more. */
function isSummary(message: Message): boolean {
  return message.role === "user" && (message.origin === "summary" || message.origin === "branch_summary");
}

function sizesFor(prompt: number): Sizes {
  return { ...SIZES[0]!, prompt };
}

function render(message: Message, sizes: Sizes): string {
  if (message.role === "assistant") return renderAnswer(message, sizes);
  if (message.role === "tool") return message.parts.map((part) => renderResult(part, sizes)).join("\n\n");
  // The list of files is carried on by code.
  const parts = message.parts.filter((part) => part.type !== "text" || !isFileList(part.text));
  const text = cut(contentText(parts), sizes.prompt);
  if (message.origin === "summary") return `[earlier summary]\n${text}`;
  if (message.origin === "branch_summary") return `[summary of another branch]\n${text}`;
  if (message.origin === "user" || message.origin === "steering") return `[user]\n${text}`;
  return `[${message.origin}]\n${text}`;
}

function renderAnswer(message: AssistantMessage, sizes: Sizes): string {
  const lines: string[] = [];
  for (const part of message.parts) {
    if (part.type === "text" && part.text.trim() !== "")
      lines.push(`[assistant]\n${cut(part.text.trim(), sizes.answer)}`);
    else if (part.type === "tool_call")
      lines.push(`[assistant calls ${part.name}]\n${cut(JSON.stringify(part.arguments), sizes.input)}`);
  }
  return lines.join("\n\n");
}

function renderResult(part: ToolResultPart, sizes: Sizes): string {
  if (isMemoryTool(part.name)) return `[result of ${part.name}: what was recalled is left out]`;
  const failed = part.isError ? ", failed" : "";
  return `[result of ${part.name}${failed}]\n${cut(contentText(part.content), sizes.result)}`;
}

function contentText(parts: readonly (TextPart | ImagePart)[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : `[image ${part.mimeType}]`)).join("\n");
}

function cut(text: string, most: number): string {
  return shortened(text, most, (left) => `[… ${left} characters …]`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
