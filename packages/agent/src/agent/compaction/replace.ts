/** Histories with some of their parts replaced. */
import type { AssistantMessage, Message, ToolResultPart, UserMessage } from "../../contract/messages.ts";
import type { CompactionKind } from "../../contract/session.ts";
import type { RunScope } from "../run-scope.ts";
import { wellFormed } from "../well-formed.ts";

/** The messages with what `change` gives for results and user messages; those without a change are the very same objects. */
export function changedHistory(
  messages: readonly Message[],
  change: <Part extends ToolResultPart | UserMessage>(part: Part) => Part,
): Message[] {
  return messages.map((message): Message => {
    if (message.role === "user") return change(message);
    if (message.role === "assistant") return message;
    const parts = message.parts.map(change);
    return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
  });
}

/**
 * Makes `next` what is seen instead of the conversation's first `count` messages. Thinking that is bound to what came before it is left
 * out behind the first change. What both histories have in common at their ends is no part of the record.
 */
export function rewrite(
  scope: RunScope,
  kind: CompactionKind,
  next: readonly Message[],
  count: number,
): void {
  const { conversation } = scope.options;
  const stored = conversation.messages();
  const { from, before } = conversation.outdated;
  const changed = next.findIndex((message, index) => message !== stored[index]);
  const history = next.map((message, index) => {
    const behind = (changed >= 0 && index > changed) || (index >= from && index < before);
    return behind && message.role === "assistant" ? withoutBoundThinking(scope, message) : message;
  });
  let same = 0;
  while (same < history.length && same < count && history.at(-1 - same) === stored[count - 1 - same]) same++;
  const replacement = history.slice(0, history.length - same).map(wellFormed);
  conversation.compact(kind, replacement, count - same);
}

function withoutBoundThinking(scope: RunScope, message: AssistantMessage): AssistantMessage {
  const { client, model } = scope.options;
  const { source } = message;
  const sameWire = source.wire === scope.source.wire && source.provider === scope.source.provider;
  if (!sameWire || client.rules.bindsThinking?.({ ...model, id: source.model }) !== true) return message;
  const parts = message.parts.filter((part) => part.type !== "thinking");
  return parts.length === message.parts.length ? message : { ...message, parts };
}
