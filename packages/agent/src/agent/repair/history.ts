/**
 * The pass that makes a stored history valid for a provider, in memory, before every request. The stored messages are never
 * changed; whatever lies in the file, the request is one that the service accepts.
 */
import type { AssistantMessage, Message, UserMessage, UserOrigin } from "../../contract/messages.ts";
import type { HistoryRules } from "../../contract/model.ts";
import type { OutdatedRange } from "../../contract/session.ts";
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
  #outdated: OutdatedRange = { from: 0, before: 0 };

  constructor(rules: RepairRules) {
    this.#rules = rules;
    this.#ids = new CallIds(rules);
  }

  /**
   * The request's messages for the stored ones. Those that are `outdated` stand behind something that has changed: where thinking is
   * bound to that, they go back without it.
   */
  messages(stored: readonly Message[], outdated: OutdatedRange = { from: 0, before: 0 }): Message[] {
    const before = this.#outdated;
    const same = outdated.from === before.from && outdated.before === before.before;
    if (!same || !this.#continues(stored)) this.#restart();
    this.#outdated = outdated;
    for (let i = this.#seen.length; i < stored.length; i++) this.#take(stored, i);
    const tail: Message[] = [];
    const last = this.#done.at(-1);
    for (const message of this.#turn?.messages() ?? []) append(tail, message, last);
    if ((tail.at(-1) ?? last)?.role === "assistant") tail.push(note(CONTINUE_NOTE, "continue"));
    return this.#done.concat(tail);
  }

  /** A history that was made by others (callbacks change requests), in the form that the service accepts. */
  ofOthers(messages: readonly Message[]): Message[] {
    return new RepairedHistory(this.#rules).messages(messages);
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
      this.#turn?.take(message.parts);
      return;
    }
    this.#closeTurn(stored, index);
    if (message.role === "assistant") this.#openTurn(message, index);
    else append(this.#done, cleanUserMessage(message, this.#rules));
  }

  #openTurn(message: AssistantMessage, index: number): void {
    const { from, before } = this.#outdated;
    const outdated = index >= from && index < before;
    const withThinking = !outdated || this.#rules.thinkingBound !== true;
    this.#turn = new OpenTurn(message, this.#rules, this.#ids, withThinking);
  }

  /** Results that were stored late, after a user message, still belong to the turn. */
  #closeTurn(stored: readonly Message[], index: number): void {
    const turn = this.#turn;
    if (!turn) return;
    for (let i = index; turn.waiting && i < stored.length; i++) {
      const later = stored[i]!;
      if (later.role === "assistant") break;
      if (later.role === "tool") turn.take(later.parts);
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
