import { isMemoryTool, isRecalled } from "../../contract/memory.ts";
import type { AssistantPart, Message } from "../../contract/messages.ts";
import { storedMessage } from "../stored-message.ts";

/** Of a tool's result only its beginning is searched: a log or a file that was read must not crowd out what was said. */
const MOST_RESULT = 2_000;
const MOST_ARGUMENTS = 2_000;
const MOST_SAID = 200_000;

/** What of a stored message can be searched. */
export function messageText(value: unknown): string {
  const message = storedMessage(value);
  return message === null ? "" : textsOf(message).join("\n");
}

function textsOf(message: Message): string[] {
  if (message.role === "user")
    // What pi puts there itself is the same in every session, or was said in another one.
    return message.origin === "reminder" || isRecalled(message)
      ? []
      : message.parts.map((part) => (part.type === "text" ? part.text.slice(0, MOST_SAID) : ""));
  if (message.role === "assistant") return message.parts.map(answerText);
  return message.parts.map(({ name, content }) => {
    if (isMemoryTool(name)) return "";
    let text = "";
    for (const part of content)
      if (part.type === "text" && text.length < MOST_RESULT) text += part.text.slice(0, MOST_RESULT);
    return text;
  });
}

function answerText(part: AssistantPart): string {
  if (part.type === "text") return part.text.slice(0, MOST_SAID);
  // Thinking is not what anyone remembers to have read.
  if (part.type === "thinking") return "";
  const values = Object.values(part.arguments).map((value) =>
    typeof value === "string"
      ? value.slice(0, MOST_ARGUMENTS)
      : JSON.stringify(value).slice(0, MOST_ARGUMENTS),
  );
  return [part.name, ...values].join("\n");
}
