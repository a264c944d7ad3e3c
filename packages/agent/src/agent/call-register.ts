/** The calls of an answer before it is stored: each with an id of its own, and none that was cut left unmarked. */
import type { AssistantMessage, AssistantPart, ToolCallPart } from "../contract/messages.ts";
import type { Conversation } from "../contract/session.ts";

/** Knows the ids of all calls of a conversation; services repeat theirs, or give none that is unique. */
export class CallRegister {
  readonly #conversation: Conversation;
  readonly #newId: () => string;
  #known: Set<string> | undefined;

  constructor(conversation: Conversation, newId: () => string) {
    this.#conversation = conversation;
    this.#newId = newId;
  }

  /** The message with unique call ids, and with a call at the very end of a cut answer marked as cut. */
  settle(message: AssistantMessage): AssistantMessage {
    if (!message.parts.some((part) => part.type === "tool_call")) return message;
    const last = message.parts.length - 1;
    const parts = message.parts.map((part, index): AssistantPart => {
      if (part.type !== "tool_call") return part;
      const own = this.#claimed(part);
      return message.stop === "length" && index === last && !own.problem ? cut(own) : own;
    });
    return { ...message, parts };
  }

  #claimed(call: ToolCallPart): ToolCallPart {
    this.#known ??= this.#idsOfHistory();
    let id = call.id;
    while (id === "" || this.#known.has(id)) id = this.#newId();
    this.#known.add(id);
    return id === call.id ? call : { ...call, id };
  }

  #idsOfHistory(): Set<string> {
    const ids = new Set<string>();
    for (const message of this.#conversation.messages())
      if (message.role === "assistant")
        for (const part of message.parts) if (part.type === "tool_call") ids.add(part.id);
    return ids;
  }
}

/** An answer that ended on the limit may have lost the end of its last call even if what is left of it can be parsed. */
function cut(call: ToolCallPart): ToolCallPart {
  return {
    ...call,
    problem: {
      kind: "cut",
      message: "the answer ended at the output limit inside of this call",
      raw: JSON.stringify(call.arguments).slice(0, 2_000).toWellFormed(),
    },
  };
}
