import {
  type AssistantPart,
  type Message,
  type ToolResultPart,
  textOf,
  type UserMessage,
  type UserOrigin,
} from "../../../contract/messages.ts";
import { counted, oneLine } from "./format.ts";

/** Lines of a tool's result that are shown; the rest is counted. */
const MOST_RESULT_LINES = 40;
const MOST_ARGUMENTS = 300;
const BY_THE_USER: ReadonlySet<UserOrigin> = new Set(["user", "steering", "shell"]);

/** A conversation as Markdown for people: what was asked and answered, each tool call with the head of its result. No thinking. */
export function transcriptMarkdown(messages: readonly Message[]): string {
  const sections: string[] = [];
  let speaker = "";
  const say = (who: string, body: string) => {
    if (body === "") return;
    if (who !== speaker) sections.push(`## ${who}`);
    speaker = who;
    sections.push(body);
  };
  for (const message of messages) {
    if (message.role === "user") say(...ofUser(message));
    else if (message.role === "assistant")
      for (const part of message.parts) say("Assistant", ofAssistant(part));
    else for (const part of message.parts) say("Assistant", ofResult(part));
  }
  return `${sections.join("\n\n")}\n`;
}

function ofUser({ origin, parts }: UserMessage): [who: string, body: string] {
  const images = parts.filter((part) => part.type === "image").length;
  const text = textOf(parts).trim();
  const body = [
    origin === "shell" && text !== "" ? fenced(text) : text,
    images > 0 ? `*(${counted(images, "image")})*` : "",
  ];
  const who = BY_THE_USER.has(origin) ? "User" : `pi (${origin})`;
  return [who, body.filter((piece) => piece !== "").join("\n\n")];
}

function ofAssistant(part: AssistantPart): string {
  if (part.type === "text") return part.text.trim();
  if (part.type === "thinking") return "";
  const values = Object.values(part.arguments);
  const words =
    values.length === 1 && typeof values[0] === "string" ? values[0] : JSON.stringify(part.arguments);
  return `**${part.name}** ${inlineCode(oneLine(words, MOST_ARGUMENTS))}`;
}

function ofResult({ content, isError }: ToolResultPart): string {
  const lines = textOf(content).trimEnd().split("\n");
  const shown = lines.slice(0, MOST_RESULT_LINES).join("\n");
  const images = content.filter((part) => part.type === "image").length;
  const rest = lines.length - MOST_RESULT_LINES;
  return [
    ...(shown.trim() === "" ? [] : [fenced(shown)]),
    ...(rest > 0 ? [`*(${counted(rest, "more line")})*`] : []),
    ...(images > 0 ? [`*(${counted(images, "image")})*`] : []),
    ...(isError ? ["*(failed)*"] : []),
  ].join("\n\n");
}

/** Inside of a fence that is longer than any run of backticks in the text. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

function inlineCode(text: string): string {
  if (text === "") return "";
  const ticks = "`".repeat(longestRun(text) + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
