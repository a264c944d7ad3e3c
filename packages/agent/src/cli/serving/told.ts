import type { AgentEvent } from "../../contract/events.ts";
import type { Message } from "../../contract/messages.ts";

/** Who hears of a conversation, and what was told of the message in progress. A listener that throws is left to itself. */
export class Told {
  readonly #events = new Set<(event: AgentEvent) => void>();
  readonly #messages = new Set<(message: Message) => void>();
  readonly #commands = new Set<() => void>();
  readonly #ends = new Set<() => void>();
  #unfinished: AgentEvent[] = [];

  /** What was told since the last message was stored, with pieces of one text joined; empty between runs. */
  get unfinished(): readonly AgentEvent[] {
    return this.#unfinished;
  }

  get heard(): boolean {
    return this.#events.size > 0;
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#events.add(listener);
    return () => this.#events.delete(listener);
  }

  watch(listener: (message: Message) => void): () => void {
    this.#messages.add(listener);
    return () => this.#messages.delete(listener);
  }

  whenCommandsChange(listener: () => void): () => void {
    this.#commands.add(listener);
    return () => this.#commands.delete(listener);
  }

  /** Its slash commands may be others. */
  commandsChanged(): void {
    for (const listener of [...this.#commands]) guarded(listener);
  }

  whenClosed(listener: () => void): () => void {
    this.#ends.add(listener);
    return () => this.#ends.delete(listener);
  }

  /** The conversation is over for this process. */
  closed(): void {
    for (const listener of [...this.#ends]) guarded(listener);
  }

  event(event: AgentEvent): void {
    this.#keep(event);
    for (const listener of [...this.#events]) guarded(() => listener(event));
  }

  /** A message went into the conversation. */
  message(message: Message): void {
    this.#unfinished = this.#unfinished.filter((event) => !holds(message, event));
    for (const listener of [...this.#messages]) guarded(() => listener(message));
  }

  #keep(event: AgentEvent): void {
    if (event.type === "message_end") {
      this.#unfinished = [];
      return;
    }
    const last = this.#unfinished.at(-1);
    if (event.type === "text_delta" || event.type === "thinking_delta") {
      if (last?.type === event.type)
        this.#unfinished.splice(-1, 1, { ...event, delta: last.delta + event.delta });
      else this.#unfinished.push(event);
    } else if (event.type === "tool_call") this.#unfinished.push(event);
  }
}

/** Whether a stored message says what the event said. */
function holds(message: Message, event: AgentEvent): boolean {
  if (message.role === "assistant") return event.type === "text_delta" || event.type === "thinking_delta";
  if (message.role === "tool")
    return event.type === "tool_call" && message.parts.some(({ id }) => id === event.id);
  return false;
}

function guarded(tell: () => void): void {
  try {
    tell();
  } catch {
    // what goes wrong with one listener is nothing to the run and to the others
  }
}
