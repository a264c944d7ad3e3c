import {
  type AssistantPart,
  type ImagePart,
  type Message,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
} from "../../contract/messages.ts";
import type { TranscriptEntry } from "../../contract/transcript.ts";
import { callsOf, resultsOf } from "../results.ts";
import { isNote, speakerOf } from "../speakers.ts";
import { callWords } from "../tool-words.ts";
import { escapeHtml } from "./escape.ts";
import { markdownHtml } from "./markdown-html.ts";

/** Messages as articles; `prefix` begins their anchors. After each entry comes what `after` gives for its number (from 1). */
export function* messageArticles(
  entries: readonly TranscriptEntry[],
  prefix: string,
  after: (entries: number) => Iterable<string> = () => [],
): Generator<string> {
  const results = resultsOf(entries);
  const calls = callsOf(entries);
  yield* after(0);
  for (const [index, { message, time }] of entries.entries()) {
    const body = bodyOf(message, results, calls);
    if (body !== "") {
      const anchor = `${prefix}${index + 1}`;
      const kind = message.role === "user" ? (isNote(message) ? "note" : "user") : "assistant";
      const who = `<a class="who" href="#${anchor}">${speakerOf(message)}${timeHtml(time)}</a>`;
      yield `<article id="${anchor}" class="${kind}">${who}${body}</article>\n`;
    }
    yield* after(index + 1);
  }
}

function bodyOf(
  message: Message,
  results: ReadonlyMap<string, ToolResultPart>,
  calls: ReadonlySet<string>,
): string {
  if (message.role === "user") return contentHtml(message.parts, message.origin === "shell" ? "pre" : "said");
  if (message.role === "assistant") return message.parts.map((part) => answerHtml(part, results)).join("");
  const alone = message.parts.filter(({ id }) => !calls.has(id));
  return alone.map((part) => card(part.name, "", part, "")).join("");
}

function answerHtml(part: AssistantPart, results: ReadonlyMap<string, ToolResultPart>): string {
  if (part.type === "tool_call")
    return card(part.name, callWords(part.arguments), results.get(part.id), inputHtml(part));
  if (part.text.trim() === "") return "";
  const html = markdownHtml(part.text);
  return part.type === "text"
    ? html
    : `<details class="thinking"><summary>Thinking</summary><div>${html}</div></details>`;
}

/** A folded tool call with what it gave back. */
function card(name: string, words: string, result: ToolResultPart | undefined, input: string): string {
  const state = result === undefined ? "none" : result.isError ? "failed" : "done";
  const label = state === "none" ? "no result" : state;
  const about = words === "" ? "" : ` <code>${escapeHtml(words)}</code>`;
  const output = result === undefined ? "" : contentHtml(result.content, "pre");
  return `<details class="tool ${state}"><summary><span class="state">${label}</span><b>${escapeHtml(name)}</b>${about}</summary><div>${input}${output}</div></details>`;
}

/** What a call was given; the texts of an edit as a difference. */
function inputHtml({ arguments: input, problem }: ToolCallPart): string {
  if (problem !== undefined)
    return `<p class="warn">${escapeHtml(problem.message)}</p><pre>${escapeHtml(problem.raw)}</pre>`;
  const { old_string: before, new_string: after, ...rest } = input;
  if (typeof before !== "string" || typeof after !== "string") return json(input);
  return `${json(rest)}<pre>${lines(before, "del", "- ")}${lines(after, "add", "+ ")}</pre>`;
}

function json(value: object): string {
  if (Object.keys(value).length === 0) return "";
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

function lines(text: string, kind: string, mark: string): string {
  if (text === "") return "";
  return text
    .split("\n")
    .map((line) => `<span class="${kind}">${mark}${escapeHtml(line)}</span>`)
    .join("");
}

function contentHtml(content: readonly (TextPart | ImagePart)[], how: "pre" | "said"): string {
  const text = textOf(content);
  const body = escapeHtml(how === "pre" ? text.trimEnd() : text.trim());
  const shown = body === "" ? "" : how === "pre" ? `<pre>${body}</pre>` : `<div class="said">${body}</div>`;
  return shown + content.map((part) => (part.type === "image" ? imageHtml(part) : "")).join("");
}

const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Pictures of pixels only: an SVG is a document of its own. */
function imageHtml({ mimeType, data }: ImagePart): string {
  if (!PICTURES.has(mimeType) || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    return `<p class="facts">(a picture that cannot be shown: ${escapeHtml(mimeType)})</p>`;
  return `<img alt="picture" src="data:${mimeType};base64,${data}">`;
}

function timeHtml(time: number | null): string {
  if (time === null) return "";
  const iso = new Date(time).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}
