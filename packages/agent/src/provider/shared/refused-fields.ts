/**
 * Request fields that a compatible server refuses. The first refusal that names one is learned from: it is left out for
 * the rest of the client's life, so that a server's requests fail once and its prompt cache stays warm.
 */
import type { ModelError } from "../../contract/model.ts";

/** A field that a request can do without. */
export interface OptionalField {
  name: string;
  /** How a refusal names it; by default its name as a word. */
  pattern?: RegExp;
  /** How the sent request shows it, as JSON; by default as a key of its name. */
  sent?: string;
  /** A limit that may also be higher than the server allows; left out, the server's own limit holds. */
  limit?: boolean;
}

const refused =
  /unsupported|not (?:yet )?support|unrecognized|unknown|unexpected|not (?:be )?(?:permitted|allowed)|extra[_ ](?:inputs|fields|forbidden)|additional propert|invalid (?:parameter|field|argument)|does ?n[o']t (?:support|accept)|no such|must be verified/i;
const tooHigh = /too (?:large|high|big)|at most|less than|exceeds?|maximum|must be (?:<|in\b)/i;

/** One client's memory of refused fields. */
export class RefusedFields {
  readonly #fields: readonly OptionalField[];
  readonly #dropped = new Set<string>();

  /** `fields` in the order in which they are given up when a refusal names several. */
  constructor(fields: readonly OptionalField[]) {
    this.#fields = fields;
  }

  /** Names of fields to leave out of requests. */
  get dropped(): ReadonlySet<string> {
    return this.#dropped;
  }

  /**
   * True when the refusal names a field that was sent and is now left out: the request is worth one more try. `sent` is
   * the refused request as JSON. Each field is learned once, so tries are bounded.
   */
  learn(error: ModelError, sent: string): boolean {
    if (error.status !== 400 && error.status !== 422) return false;
    const { message } = error;
    const field = this.#fields.find(
      ({ name, pattern = new RegExp(`\\b${name}\\b`), sent: mark = `"${name}":`, limit }) =>
        !this.#dropped.has(name) &&
        sent.includes(mark) &&
        pattern.test(message) &&
        ((error.code === "invalid" && refused.test(message)) || (limit === true && tooHigh.test(message))),
    );
    if (field) this.#dropped.add(field.name);
    return field !== undefined;
  }
}
