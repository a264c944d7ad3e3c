import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserMessage,
  UserOrigin,
} from "../../contract/messages.ts";
import { textOf } from "../../contract/messages.ts";
import { pastChange } from "./file-changes.ts";
import { resultContent, textBlock } from "./result-content.ts";
import type { SessionFolder } from "./session-folder.ts";
import { toolCallView } from "./tool-call-view.ts";

/** What of a user message is shown as said by the person, and what as a note that stands before the model. */
const SHOWN_AS: Readonly<Record<UserOrigin, "user_message_chunk" | "agent_thought_chunk" | null>> = {
  user: "user_message_chunk",
  steering: "user_message_chunk",
  shell: "user_message_chunk",
  summary: "agent_thought_chunk",
  branch_summary: "agent_thought_chunk",
  reminder: null,
  memory: null,
  continue: null,
};

/** A conversation as the updates that an editor would have got while it was held. */
export function* historyUpdates(
  messages: readonly Message[],
  folder: SessionFolder,
): Generator<SessionUpdate> {
  const results = new Map<string, ToolResultPart>();
  for (const message of messages)
    if (message.role === "tool") for (const part of message.parts) results.set(part.id, part);
  for (const [index, message] of messages.entries()) {
    const messageId = `history-${index}`;
    if (message.role === "user") yield* said(message, messageId);
    else if (message.role === "assistant") yield* answered(message, messageId, results, folder);
  }
}

function* said({ origin, parts }: UserMessage, messageId: string): Generator<SessionUpdate> {
  const sessionUpdate = SHOWN_AS[origin];
  if (sessionUpdate === null) return;
  for (const part of parts) {
    const content = part.type === "text" ? textBlock(part.text) : imageBlock(part);
    yield { sessionUpdate, content, messageId };
  }
}

function* answered(
  { parts }: AssistantMessage,
  messageId: string,
  results: ReadonlyMap<string, ToolResultPart>,
  folder: SessionFolder,
): Generator<SessionUpdate> {
  for (const part of parts)
    if (part.type === "tool_call") yield called(part, results.get(part.id), folder);
    else if (part.text !== "")
      yield {
        sessionUpdate: part.type === "text" ? "agent_message_chunk" : "agent_thought_chunk",
        content: textBlock(part.text),
        messageId: part.type === "text" ? messageId : `${messageId}-thought`,
      };
}

function called(
  { id, name, arguments: input }: ToolCallPart,
  result: ToolResultPart | undefined,
  folder: SessionFolder,
): SessionUpdate {
  const view = { toolCallId: id, name, ...toolCallView(name, input, folder), rawInput: input };
  if (result === undefined) return { sessionUpdate: "tool_call", ...view, status: "failed" };
  const { isError, details = {}, content } = result;
  const diffs = isError ? [] : pastChange(name, input, details, folder);
  const images = content.filter((part): part is ImagePart => part.type === "image");
  const text = textOf(content.filter((part): part is TextPart => part.type === "text"));
  return {
    sessionUpdate: "tool_call",
    ...view,
    status: isError ? "failed" : "completed",
    content: resultContent(text, diffs, images),
    rawOutput: details,
  };
}

function imageBlock({ mimeType, data }: ImagePart) {
  return { type: "image" as const, mimeType, data };
}
