import type { AgentEvent } from "../../contract/events.ts";
import { type Message, textOf, type UserOrigin } from "../../contract/messages.ts";
import { encodeJsonLine } from "../../platform/json-lines.ts";

const lines = new WeakMap<object, string>();

/** The `event` notification of an event: the same fields as in JSON mode. Made once, however many clients hear it. */
export function eventLine(sessionId: string, event: AgentEvent): string {
  const made = lines.get(event);
  if (made !== undefined) return made;
  const line = notificationLine("event", eventParams(sessionId, event));
  lines.set(event, line);
  return line;
}

/** A notification as a line. */
export function notificationLine(method: string, params: object): string {
  return encodeJsonLine({ jsonrpc: "2.0", method, params });
}

/** What somebody said, for those who did not say it themselves; undefined for what pi put in. */
export function promptParams(sessionId: string, message: Message): object | undefined {
  if (message.role !== "user" || !SAID.has(message.origin)) return undefined;
  return {
    type: "prompt",
    session_id: sessionId,
    origin: message.origin,
    text: textOf(message.parts),
    images: message.parts.filter(({ type }) => type === "image").length,
  };
}

const SAID: ReadonlySet<UserOrigin> = new Set(["user", "steering", "shell", "branch_summary"]);

/** A conversation as the events that told it, and then what the run in progress has told beyond it. */
export function historyEvents(
  sessionId: string,
  messages: readonly Message[],
  unfinished: readonly AgentEvent[],
): object[] {
  const results = new Set(
    messages.flatMap((message) => (message.role === "tool" ? message.parts.map(({ id }) => id) : [])),
  );
  const pending = unfinished.filter((event) => event.type !== "tool_call" || !results.has(event.id));
  const told = new Set(pending.flatMap((event) => (event.type === "tool_call" ? [event.id] : [])));
  let turn = 0;
  const history = messages.flatMap((message): object[] => {
    if (message.role === "user") {
      const prompt = promptParams(sessionId, message);
      if (prompt !== undefined && message.origin !== "steering") turn = 0;
      return prompt === undefined ? [] : [prompt];
    }
    if (message.role === "tool")
      return message.parts.map(({ id, name, content, isError, details = {} }) => ({
        type: "tool_result",
        session_id: sessionId,
        id,
        tool_name: name,
        content: textOf(content),
        is_error: isError,
        details,
      }));
    const { parts, usage, stop } = message;
    const said = parts.flatMap((part): AgentEvent[] => {
      if (part.type === "text") return [{ type: "text_delta", delta: part.text }];
      return part.type === "thinking" ? [{ type: "thinking_delta", delta: part.text }] : [];
    });
    const end: AgentEvent = { type: "turn_end", turn: ++turn, usage, stop_reason: stop };
    // Calls run when the model's turn is over.
    const calls = parts.flatMap((part): AgentEvent[] =>
      part.type === "tool_call" && !told.has(part.id)
        ? [{ type: "tool_call", id: part.id, tool_name: part.name, tool_input: part.arguments }]
        : [],
    );
    return [...said, end, ...calls].map((event) => eventParams(sessionId, event));
  });
  return [...history, ...pending.map((event) => eventParams(sessionId, event))];
}

function eventParams(sessionId: string, event: AgentEvent): object {
  const { type, ...fields } = event;
  return { type, session_id: sessionId, ...fields };
}
