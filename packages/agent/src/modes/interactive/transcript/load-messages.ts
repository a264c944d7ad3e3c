import type { ExtensionMessage } from "../../../contract/extension-surface.ts";
import type { HostChange, PlacedMessage, PromptInput } from "../../../contract/interactive.ts";
import type { JsonObject } from "../../../contract/json.ts";
import {
  type AssistantMessage,
  type ImagePart,
  type Message,
  textOf,
  type UserMessage,
} from "../../../contract/messages.ts";
import type { ProgramMessage } from "./blocks/message-block.ts";
import type { ToolEnd } from "./tools/tool-run.ts";
import { storedEndMessage } from "./turn-end.ts";

/** Where the parts of a stored conversation go. */
interface MessageSink {
  prompt(input: PromptInput, as: "prompt" | "steer"): void;
  text(text: string): void;
  thinking(text: string): void;
  endOfText(): void;
  call(id: string, name: string, input: JsonObject): void;
  result(id: string, name: string, end: ToolEnd, images: readonly ImagePart[]): void;
  /** A call that was never begun is not shown, as it was not when it happened. */
  dropCall(id: string): void;
  shell(change: Extract<HostChange, { type: "shell" }>): void;
  summary(text: string, of: "before" | "branch"): void;
  message(message: ProgramMessage): void;
  custom(message: ExtensionMessage): void;
}

/** Tells a stored conversation in the order in which it was seen when it happened. */
export function loadMessages(
  messages: readonly Message[],
  shown: readonly PlacedMessage[],
  sink: MessageSink,
): void {
  let next = 0;
  const custom = (before: number) => {
    while (next < shown.length && shown[next]!.after <= before) sink.custom(shown[next++]!.message);
  };
  let interrupted = false;
  const flush = () => {
    const message = interrupted ? storedEndMessage("aborted", false) : undefined;
    if (message) sink.message(message);
    interrupted = false;
  };
  for (const [index, message] of messages.entries()) {
    custom(index);
    if (message.role !== "tool") flush();
    if (message.role === "user") tellUser(message, index, sink);
    else if (message.role === "assistant") tellAnswer(message, sink);
    else
      for (const part of message.parts) {
        const code = part.details?.["code"];
        if (code === "interrupted" || code === "not_started") interrupted = true;
        if (code === "not_started") {
          sink.dropCall(part.id);
          continue;
        }
        const images = part.content.filter((each) => each.type === "image");
        const end = { content: textOf(part.content), isError: part.isError, details: part.details ?? {} };
        sink.result(part.id, part.name, end, images);
      }
  }
  flush();
  custom(Number.POSITIVE_INFINITY);
}

function tellUser(message: UserMessage, index: number, sink: MessageSink): void {
  const text = textOf(message.parts);
  const images = message.parts.filter((part) => part.type === "image");
  switch (message.origin) {
    case "user":
      sink.prompt({ text, images }, "prompt");
      return;
    case "steering":
      sink.prompt({ text, images }, "steer");
      return;
    case "summary":
      sink.summary(text, "before");
      return;
    case "branch_summary":
      sink.summary(text, "branch");
      return;
    case "shell":
      sink.shell(storedCommand(text, `stored-${index}`));
      return;
    case "reminder":
    case "memory":
    case "continue":
      // The program's words for the model.
      return;
  }
}

/** `$ command`, its output, `(exit code N)`. */
function storedCommand(text: string, id: string): Extract<HostChange, { type: "shell" }> {
  const lines = text.split("\n");
  const outcome = /^\((.*)\)$/.exec(lines.at(-1) ?? "")?.[1];
  const code = /^exit code (\d+)$/.exec(outcome ?? "")?.[1];
  return {
    type: "shell",
    id,
    command: (lines[0] ?? "").replace(/^\$ /, ""),
    kept: true,
    output: lines.slice(1, outcome === undefined ? undefined : -1).join("\n"),
    exitCode: code === undefined ? null : Number(code),
  };
}

function tellAnswer(message: AssistantMessage, sink: MessageSink): void {
  let empty = true;
  for (const part of message.parts) {
    if (part.type === "tool_call" || part.text === "") continue;
    if (part.type === "thinking") sink.thinking(part.text);
    else {
      sink.text(part.text);
      if (part.text.trim() !== "") empty = false;
    }
  }
  sink.endOfText();
  const calls = message.parts.filter((part) => part.type === "tool_call");
  for (const call of calls) sink.call(call.id, call.name.trim(), call.problem ? {} : call.arguments);
  const end = calls.length > 0 && !message.partial ? undefined : storedEndMessage(message.stop, empty);
  if (end) sink.message(end);
}
