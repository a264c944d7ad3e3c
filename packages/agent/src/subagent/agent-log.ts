import type { JsonObject } from "../contract/json.ts";
import type { AgentStep } from "../contract/subagents.ts";
import { callWords } from "./call-words.ts";

/** Characters of all steps that are kept; all of it is in the subagent's session. */
const MOST_CHARACTERS = 100_000;
/** What is said in one go is cut into steps of about this length, so that a growing one stays cheap to draw. */
const MOST_STEP = 2_000;
const MOST_FAILURE = 500;

/** What a subagent said and did, as it comes: the latest part, within a bound. Entries are never changed, only replaced. */
export class AgentLog {
  readonly #steps: AgentStep[] = [];
  /** What is being said, in the pieces in which it came: a step is made of them only when somebody looks, or it is long enough. */
  #pieces: string[] = [];
  #length = 0;
  #characters = 0;

  /** Live; only read. */
  get steps(): readonly AgentStep[] {
    this.#join();
    return this.#steps;
  }

  task(text: string): void {
    this.#add("task", text.length > MOST_STEP ? `${text.slice(0, MOST_STEP).toWellFormed()}…` : text);
  }

  /** More of what it says. */
  say(delta: string): void {
    for (let at = 0; at < delta.length; at += MOST_STEP) {
      const piece = delta.slice(at, at + MOST_STEP);
      this.#pieces.push(piece);
      this.#length += piece.length;
      if (this.#length >= MOST_STEP) this.#join();
    }
  }

  call(name: string, input: JsonObject): void {
    this.#add("call", callWords(name, input));
  }

  failed(content: string): void {
    this.#add("failed", content.slice(0, MOST_FAILURE).toWellFormed());
  }

  #add(kind: AgentStep["kind"], text: string): void {
    this.#join();
    if (text.trim() === "") return;
    this.#steps.push({ kind, text });
    this.#grow(text.length);
  }

  /** Puts the waiting pieces behind what was said, or begins a new step with them. */
  #join(): void {
    if (this.#pieces.length === 0) return;
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#length = 0;
    const last = this.#steps.at(-1);
    if (last?.kind === "said" && last.text.length < MOST_STEP)
      this.#steps[this.#steps.length - 1] = { kind: "said", text: last.text + text };
    else this.#steps.push({ kind: "said", text });
    this.#grow(text.length);
  }

  #grow(characters: number): void {
    this.#characters += characters;
    while (this.#characters > MOST_CHARACTERS && this.#steps.length > 1)
      this.#characters -= this.#steps.shift()!.text.length;
  }
}
