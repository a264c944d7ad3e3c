/**
 * The pass that makes a stored history valid for a provider, in memory, before every request. The stored messages are never
 * changed; whatever lies in the file, the request is one that the service accepts.
 */
import type {
  AssistantMessage,
  Message,
  ToolMessage,
  ToolResultPart,
  UserMessage,
  UserOrigin,
} from "../../contract/messages.ts";
import type { HistoryRules } from "../../contract/model.ts";
import { CallIds } from "./call-ids.ts";
import { cleanUserMessage, type PartRules } from "./clean-parts.ts";
import { OpenTurn } from "./open-turn.ts";

/** Asks for the rest of an answer; models without prefill need a user message after a partial one. */
export const CONTINUE_NOTE =
  "[The answer above was interrupted. Go on exactly where it stopped and do not repeat what was said.]";
const OPENING_NOTE = "[The earlier part of this conversation is not shown.]";

export type RepairRules = HistoryRules &
  PartRules & {
    /** The answer of {@link HistoryRules.bindsThinking} for the run's model. */
    thinkingBound?: boolean;
  };

/** Messages shortened to fit the window, by the stored part or message they stand for. */
export interface Shortened {
  results: ReadonlyMap<ToolResultPart, ToolResultPart>;
  users: ReadonlyMap<UserMessage, UserMessage>;
  /** Index of the first stored message that was shortened, and how many there were then. */
  from: number;
  to: number;
}

/**
 * Repairs incrementally: messages already seen are not looked at again, so a step costs only its own messages, and what was
 * sent before is sent again byte for byte (prompt caches stay warm).
 */
export class RepairedHistory {
  readonly #rules: RepairRules;
  #seen: Message[] = [];
  #done: Message[] = [];
  #ids: CallIds;
  #turn: OpenTurn | undefined;
  #shortened: Shortened | undefined;

  constructor(rules: RepairRules) {
    this.#rules = rules;
    this.#ids = new CallIds(rules);
  }

  /** The request's messages for the stored ones. */
  messages(stored: readonly Message[]): Message[] {
    if (!this.#continues(stored)) this.#restart();
    for (let i = this.#seen.length; i < stored.length; i++) this.#take(stored, i);
    const tail: Message[] = [];
    const last = this.#done.at(-1);
    for (const message of this.#turn?.messages() ?? []) append(tail, message, last);
    if ((tail.at(-1) ?? last)?.role === "assistant") tail.push(note(CONTINUE_NOTE, "continue"));
    return this.#done.concat(tail);
  }

  /** From now on shortened messages stand for the stored ones. Where thinking is bound to what came before it, it is dropped behind the first of them. */
  shorten(shortened: Shortened): void {
    const before = this.#shortened;
    this.#shortened = before
      ? {
          results: new Map([...before.results, ...shortened.results]),
          users: new Map([...before.users, ...shortened.users]),
          from: Math.min(before.from, shortened.from),
          to: shortened.to,
        }
      : shortened;
    this.#restart();
  }

  /** Whether a shortened one already stands for this. */
  isShortened(part: ToolResultPart | UserMessage): boolean {
    const shortened = this.#shortened;
    if (!shortened) return false;
    return "role" in part ? shortened.users.has(part) : shortened.results.has(part);
  }

  #results(message: ToolMessage): ToolResultPart[] {
    return message.parts.map((part) => this.#shortened?.results.get(part) ?? part);
  }

  #continues(stored: readonly Message[]): boolean {
    const seen = this.#seen;
    if (seen.length > stored.length) return false;
    for (let i = seen.length - 1; i >= 0; i--) if (seen[i] !== stored[i]) return false;
    return true;
  }

  #restart(): void {
    this.#seen = [];
    this.#done = [];
    this.#ids = new CallIds(this.#rules);
    this.#turn = undefined;
  }

  #take(stored: readonly Message[], index: number): void {
    const message = stored[index]!;
    this.#seen.push(message);
    if (message.role === "tool") {
      this.#turn?.take(this.#results(message));
      return;
    }
    this.#closeTurn(stored, index);
    if (message.role === "assistant") this.#openTurn(message, index);
    else append(this.#done, cleanUserMessage(this.#shortened?.users.get(message) ?? message, this.#rules));
  }

  #openTurn(message: AssistantMessage, index: number): void {
    const shortened = this.#shortened;
    const changedBefore = shortened !== undefined && index > shortened.from && index < shortened.to;
    const withThinking = !changedBefore || this.#rules.thinkingBound !== true;
    this.#turn = new OpenTurn(message, this.#rules, this.#ids, withThinking);
  }

  /** Results that were stored late, after a user message, still belong to the turn. */
  #closeTurn(stored: readonly Message[], index: number): void {
    const turn = this.#turn;
    if (!turn) return;
    for (let i = index; turn.waiting && i < stored.length; i++) {
      const later = stored[i]!;
      if (later.role === "assistant") break;
      if (later.role === "tool") turn.take(this.#results(later));
    }
    for (const message of turn.messages()) append(this.#done, message);
    this.#turn = undefined;
  }
}

/** Appends with the two rules of order: a user message comes first, and two answers never follow each other. */
function append(messages: Message[], message: Message, before?: Message): void {
  if (message.role === "assistant") {
    const last = messages.at(-1) ?? before;
    if (!last) messages.push(note(OPENING_NOTE, "summary"));
    else if (last.role === "assistant") messages.push(note(CONTINUE_NOTE, "continue"));
  }
  messages.push(message);
}

function note(text: string, origin: UserOrigin): UserMessage {
  return { role: "user", parts: [{ type: "text", text }], origin };
}
