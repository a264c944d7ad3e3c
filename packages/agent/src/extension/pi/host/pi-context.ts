/** What `context` handlers make of a request's messages: unchanged ones stay ours byte for byte, so that caches stay warm. */
import type { Message, ToolMessage, ToolResultPart } from "../../../contract/messages.ts";
import type { PiMessage } from "../pi-types.ts";
import { fromPi, toPi } from "./pi-message.ts";

interface Origin {
  message: Message;
  /** Of a tool message: which result. */
  part: ToolResultPart | null;
}

/** The messages of a request as clones for handlers, and the way back. */
export class PiContext {
  readonly messages: PiMessage[];
  readonly #sent: readonly Message[];
  readonly #origins = new Map<string, Origin[]>();

  constructor(sent: readonly Message[], now: number) {
    this.#sent = sent;
    this.messages = sent.flatMap((message, index) => {
      const pi = toPi(message, now + index);
      for (const [at, each] of pi.entries()) {
        const key = JSON.stringify(each);
        const part = message.role === "tool" ? message.parts[at]! : null;
        const known = this.#origins.get(key);
        if (known) known.push({ message, part });
        else this.#origins.set(key, [{ message, part }]);
      }
      return pi;
    });
  }

  /** Our messages for what the handlers left; the very same list when they changed nothing. Calls without a result and results without a call are left out. */
  back(changed: readonly unknown[]): readonly Message[] {
    const messages: Message[] = [];
    for (const each of changed) this.#add(messages, each);
    const same =
      messages.length === this.#sent.length &&
      messages.every((message, index) => message === this.#sent[index]);
    return same ? this.#sent : paired(messages);
  }

  #add(messages: Message[], value: unknown): void {
    const origin = this.#origins.get(JSON.stringify(value))?.shift();
    const message: Message | null = origin?.part
      ? { role: "tool", parts: [origin.part] }
      : (origin?.message ?? fromPi(value));
    if (message === null) return;
    const last = messages.at(-1);
    if (message.role !== "tool" || last?.role !== "tool") {
      const whole = origin?.message;
      // One result of several: the others follow, and then it is the message itself again.
      messages.push(whole?.role === "tool" && whole.parts.length === 1 ? whole : message);
      return;
    }
    const joined: ToolMessage = { role: "tool", parts: [...last.parts, ...message.parts] };
    const whole = origin?.message;
    const isWhole =
      whole?.role === "tool" &&
      whole.parts.length === joined.parts.length &&
      whole.parts.every((part, index) => part === joined.parts[index]);
    messages[messages.length - 1] = isWhole ? whole : joined;
  }
}

/** The messages with only those calls and results that belong together: services refuse others. */
function paired(messages: readonly Message[]): Message[] {
  const kept: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      const before = kept.at(-1);
      const asked = new Set(
        before?.role === "assistant"
          ? before.parts.flatMap((part) => (part.type === "tool_call" ? [part.id] : []))
          : [],
      );
      const parts = message.parts.filter(({ id }) => asked.has(id));
      if (parts.length > 0)
        kept.push(parts.length === message.parts.length ? message : { ...message, parts });
      continue;
    }
    if (message.role !== "assistant") {
      kept.push(message);
      continue;
    }
    const next = messages[index + 1];
    const answered = new Set(next?.role === "tool" ? next.parts.map(({ id }) => id) : []);
    const parts = message.parts.filter((part) => part.type !== "tool_call" || answered.has(part.id));
    if (parts.length > 0) kept.push(parts.length === message.parts.length ? message : { ...message, parts });
  }
  return kept;
}
