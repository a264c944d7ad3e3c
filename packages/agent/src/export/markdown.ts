import { type AssistantPart, type Message, type ToolResultPart, textOf } from "../contract/messages.ts";
import type { SessionTranscript, TranscriptEntry } from "../contract/transcript.ts";
import { callsOf, resultsOf } from "./results.ts";
import { isNote, speakerOf } from "./speakers.ts";
import { callWords } from "./tool-words.ts";

/** A session as Markdown (with `<details>`, as GitHub and GitLab show it). Pictures are named, not shown. */
export function* markdownExport(
  { meta, branch, entries, others }: SessionTranscript,
  facts: { now: number; redacted: boolean },
): Generator<string> {
  const title = meta.title ?? `Session ${meta.id}`;
  yield `# ${oneLine(title)}\n\n`;
  const rows = [
    `Session \`${meta.id}\``,
    ...(meta.model === "" ? [] : [`model ${meta.provider}/${meta.model}`]),
    `project \`${oneLine(meta.cwd)}\``,
    `begun ${meta.created}`,
    `exported ${new Date(facts.now).toISOString()}`,
    ...(facts.redacted ? [] : ["**secrets were not taken out**"]),
  ];
  yield `${rows.join(" · ")}\n`;
  if (others.length > 0)
    yield `\nBranches: **${branch}** (below), ${others.map(({ name }) => name).join(", ")}\n`;
  yield* messages(entries);
  for (const { name, shared, entries: own } of others) {
    yield `\n---\n\n# Branch ${name}\n\nIt goes its own way after message ${shared} of ${branch}.\n`;
    yield* messages(own);
  }
}

function* messages(entries: readonly TranscriptEntry[]): Generator<string> {
  const results = resultsOf(entries);
  const calls = callsOf(entries);
  let speaker = "";
  for (const { message } of entries) {
    const bodies = bodiesOf(message, results, calls);
    if (bodies.length === 0) continue;
    const who = message.role === "tool" ? "Assistant" : speakerOf(message);
    if (who !== speaker || message.role === "user") yield `\n## ${who}\n`;
    speaker = who;
    for (const body of bodies) yield `\n${body}\n`;
  }
}

function bodiesOf(
  message: Message,
  results: ReadonlyMap<string, ToolResultPart>,
  calls: ReadonlySet<string>,
): string[] {
  if (message.role === "tool")
    return message.parts.filter(({ id }) => !calls.has(id)).map((part) => resultOf(part, part.name));
  if (message.role === "assistant") return message.parts.flatMap((part) => ofAnswer(part, results));
  const text = textOf(message.parts).trim();
  const pictures = message.parts.filter((part) => part.type === "image").length;
  const shown =
    text === ""
      ? []
      : message.origin === "shell"
        ? [fenced(text)]
        : isNote(message)
          ? [quoted(text)]
          : [text];
  return [...shown, ...(pictures > 0 ? [`*(pictures: ${pictures})*`] : [])];
}

function ofAnswer(part: AssistantPart, results: ReadonlyMap<string, ToolResultPart>): string[] {
  const text = part.type === "tool_call" ? "" : part.text.trim();
  if (part.type === "text") return text === "" ? [] : [text];
  if (part.type === "thinking") return text === "" ? [] : [folded("Thinking", quoted(text))];
  const words = callWords(part.arguments);
  const summary = `<b>${escaped(part.name)}</b>${words === "" ? "" : ` <code>${escaped(words)}</code>`}`;
  const input = fenced(JSON.stringify(part.arguments, null, 2), "json");
  const result = results.get(part.id);
  const output = result === undefined ? "*(no result)*" : contentOf(result);
  return [folded(`${summary}${result?.isError ? " (failed)" : ""}`, `${input}\n\n${output}`)];
}

function resultOf(part: ToolResultPart, name: string): string {
  return folded(`<b>${escaped(name)}</b>${part.isError ? " (failed)" : ""}`, contentOf(part));
}

function contentOf({ content }: ToolResultPart): string {
  const text = textOf(content).trimEnd();
  const pictures = content.filter((part) => part.type === "image").length;
  const shown = [
    ...(text === "" ? [] : [fenced(text)]),
    ...(pictures > 0 ? [`*(pictures: ${pictures})*`] : []),
  ];
  return shown.length === 0 ? "*(empty)*" : shown.join("\n\n");
}

function folded(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Inside of a fence that is longer than any run of backticks in the text. */
function fenced(text: string, language = ""): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
