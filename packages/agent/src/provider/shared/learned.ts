/** What an endpoint was found not to take. Compatible servers refuse fields that the original service has long known. */
import type { ModelError } from "../../contract/model.ts";

/** A field that may be left out, and how a refusal names it. */
export interface Droppable {
  name: string;
  pattern: RegExp;
}

const refused =
  /extra inputs|not permitted|unknown (?:parameter|field|name|argument)|unrecognized|unsupported|not supported|does not support|unexpected (?:field|keyword|parameter)|additional properties|invalid (?:parameter|field)|not allowed|must be verified/i;

/** One client's memory of what was refused. */
export class Learned {
  readonly #fields: readonly Droppable[];
  readonly #reasoning: RegExp;
  readonly #dropped = new Set<string>();
  #thinkingFrom = 0;

  /** `reasoning` matches refusals of thinking that is echoed in the history. */
  constructor(fields: readonly Droppable[], reasoning: RegExp) {
    this.#fields = fields;
    this.#reasoning = reasoning;
  }

  /** Fields to leave out of requests. */
  get dropped(): ReadonlySet<string> {
    return this.#dropped;
  }

  /** Messages before this index are sent without their thinking: the service no longer takes it, and the history must stay usable. */
  get thinkingFrom(): number {
    return this.#thinkingFrom;
  }

  /**
   * True when the refusal names a field that was sent and is now left out, or thinking in a history of `messages`
   * messages: the request is then worth one more try. Each thing is learned once, so tries are bounded.
   */
  learn(error: ModelError, messages: number): boolean {
    if ((error.status !== 400 && error.status !== 422) || error.code !== "invalid") return false;
    if (this.#reasoning.test(error.message)) {
      const worth = messages > this.#thinkingFrom;
      this.#thinkingFrom = Math.max(messages, this.#thinkingFrom);
      return worth;
    }
    if (!refused.test(error.message)) return false;
    const field = this.#fields.find(
      ({ name, pattern }) => !this.#dropped.has(name) && pattern.test(error.message),
    );
    if (field) this.#dropped.add(field.name);
    return field !== undefined;
  }
}
