/** Thinking in the history that a service no longer takes: a signature that it cannot read, a block of another conversation. */
import type { ModelError } from "../../contract/model.ts";

/** One client's memory: a session must stay usable, so what was refused once is not sent again. */
export class RefusedThinking {
  readonly #pattern: RegExp;
  #from = 0;

  /** `pattern` matches the service's words for it. */
  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  /** Messages before this index are sent without their thinking. Later thinking was made without it, and goes along. */
  get from(): number {
    return this.#from;
  }

  /** True when a history of `messages` messages was refused for its thinking and is worth one more try without it. */
  learn(error: ModelError, messages: number): boolean {
    if (error.code !== "invalid" || !this.#pattern.test(error.message) || messages <= this.#from)
      return false;
    this.#from = messages;
    return true;
  }
}
