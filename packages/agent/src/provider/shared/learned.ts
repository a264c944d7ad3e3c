/** What an endpoint was found not to take. Compatible servers refuse fields that the original service has long known. */
import type { ModelError } from "../../contract/model.ts";

/** A field that may be left out, and how a refusal names it. */
export interface Droppable {
  name: string;
  pattern: RegExp;
  /** A limit that may also be higher than the server allows; left out, the server's own limit holds. */
  limit?: boolean;
}

const refused =
  /extra inputs|not permitted|unknown (?:parameter|field|name|argument)|unrecognized|unsupported|not supported|does not support|unexpected (?:field|keyword|parameter)|additional properties|invalid (?:parameter|field)|not allowed|extra_forbidden/i;
const tooHigh = /too (?:large|high|big)|at most|less than|exceeds?|maximum|must be (?:<|in\b)/i;

/** One client's memory of refused fields. */
export class Learned {
  readonly #fields: readonly Droppable[];
  readonly #dropped = new Set<string>();

  constructor(fields: readonly Droppable[]) {
    this.#fields = fields;
  }

  /** Fields to leave out of requests. */
  get dropped(): ReadonlySet<string> {
    return this.#dropped;
  }

  /**
   * True when the refusal names a field that was sent and is now left out: the request is worth one more try. `sent` is
   * the request's JSON; without it every field counts as sent.
   */
  learn(error: ModelError, sent?: string): boolean {
    if (error.status !== 400 && error.status !== 422) return false;
    const { message } = error;
    const refusal = error.code === "invalid" && refused.test(message);
    const field = this.#fields.find(
      ({ name, pattern, limit }) =>
        !this.#dropped.has(name) &&
        pattern.test(message) &&
        (refusal || (limit === true && tooHigh.test(message))) &&
        (sent === undefined || sent.includes(`"${name}":`)),
    );
    if (field) this.#dropped.add(field.name);
    return field !== undefined;
  }
}
