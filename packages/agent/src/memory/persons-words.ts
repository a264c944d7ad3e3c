import { type Message, textOf, type UserMessage } from "../contract/messages.ts";

/** Prompts whose words are not all a person's own are remembered as such until they are sent. */
const MOST_KNOWN = 50;

/**
 * Which words of a prompt a person typed. A prompt in the terminal is typed as a whole; of others somebody has to say what was: a skill's
 * text, piped input and the like are in the prompt and nobody's statement.
 */
export class PersonsWords {
  readonly #typedPart = new Map<string, string>();

  /** Of the prompt `text` only `typed` comes from a person; empty: nothing does. */
  say(text: string, typed: string): void {
    this.#typedPart.set(text, typed);
    const oldest = this.#typedPart.keys().next().value;
    if (this.#typedPart.size > MOST_KNOWN && oldest !== undefined) this.#typedPart.delete(oldest);
  }

  /** The person's words of a message; empty when there are none. */
  of(message: UserMessage): string {
    const text = textOf(message.parts);
    return this.#typedPart.get(text) ?? text;
  }
}

/** True for a prompt: what is put before the model on a person's behalf. */
export function isPrompt(message: Message): message is UserMessage {
  return message.role === "user" && (message.origin === "user" || message.origin === "steering");
}

/** The name of the turn that `prompt` begins: its place in the conversation and its words, so that it is the same after a resume, and another one on another branch. */
export function turnName(messages: readonly Message[], prompt: string): string {
  return `turn-${messages.filter(isPrompt).length + 1}-${Bun.hash(prompt).toString(36)}`;
}
