import type { JsonObject } from "../contract/json.ts";
import type { AssistantPart, ImagePart, Message, TextPart, ToolResultPart } from "../contract/messages.ts";
import type { SessionTranscript, TranscriptEntry } from "../contract/transcript.ts";
import type { Redactor } from "../platform/redact.ts";

/**
 * A copy that is fit to be shared: without secrets in any text, argument or detail, and without what only a model service can read
 * (signatures, opaque items). Pictures stay as they are.
 */
export function redacted(transcript: SessionTranscript, redactor: Redactor): SessionTranscript {
  const entries = (list: readonly TranscriptEntry[]): TranscriptEntry[] =>
    list.map(({ message, time }) => ({ message: ofMessage(message, redactor), time }));
  return {
    ...transcript,
    meta: redactor.data(transcript.meta) as SessionTranscript["meta"],
    entries: entries(transcript.entries),
    others: transcript.others.map((branch) => ({ ...branch, entries: entries(branch.entries) })),
  };
}

function ofMessage(message: Message, redactor: Redactor): Message {
  if (message.role === "user")
    return { ...message, parts: message.parts.map((part) => ofContent(part, redactor)) };
  if (message.role === "assistant")
    return { ...message, parts: message.parts.map((part) => ofAnswer(part, redactor)) };
  return { ...message, parts: message.parts.map((part) => ofResult(part, redactor)) };
}

function ofContent(part: TextPart | ImagePart, redactor: Redactor): TextPart | ImagePart {
  return part.type === "text" ? { type: "text", text: redactor.text(part.text) } : part;
}

function ofAnswer(part: AssistantPart, redactor: Redactor): AssistantPart {
  if (part.type !== "tool_call") return { type: part.type, text: redactor.text(part.text) };
  const { id, name, problem } = part;
  return {
    type: "tool_call",
    id,
    name,
    arguments: redactor.data(part.arguments) as JsonObject,
    ...(problem === undefined ? {} : { problem: { ...problem, raw: redactor.text(problem.raw) } }),
  };
}

function ofResult(part: ToolResultPart, redactor: Redactor): ToolResultPart {
  const { details } = part;
  return {
    ...part,
    content: part.content.map((each) => ofContent(each, redactor)),
    ...(details === undefined ? {} : { details: redactor.data(details) as JsonObject }),
  };
}
