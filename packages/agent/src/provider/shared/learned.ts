/** What an endpoint was found not to take. Compatible servers refuse fields that the original service has long known. */
import type { ModelError } from "../../contract/model.ts";

/** A field that may be left out, and how a refusal names it. */
export interface Droppable {
  name: string;
  pattern: RegExp;
}

const refused =
  /extra inputs|not permitted|unknown (?:parameter|field|name|argument)|unrecognized|unsupported|not supported|does not support|unexpected (?:field|keyword|parameter)|additional properties|invalid (?:parameter|field)|not allowed/i;

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

  /** True when the refusal names a field that was sent and is now left out: the request is worth one more try. */
  learn(error: ModelError): boolean {
    if (
      (error.status !== 400 && error.status !== 422) ||
      error.code !== "invalid" ||
      !refused.test(error.message)
    )
      return false;
    const field = this.#fields.find(
      ({ name, pattern }) => !this.#dropped.has(name) && pattern.test(error.message),
    );
    if (field) this.#dropped.add(field.name);
    return field !== undefined;
  }
}
