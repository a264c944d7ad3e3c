import type { ModelError, ModelRequest } from "../../contract/model.ts";
import type { Learn } from "./post.ts";
import { type OptionalField, RefusedFields } from "./refused-fields.ts";
import { RefusedThinking } from "./refused-thinking.ts";

/** What an endpoint was found to refuse: fields by name, and the thinking of messages before an index. */
export interface EndpointLimits {
  dropped: ReadonlySet<string>;
  thinkingFrom: number;
}

/** One client's memory of what its endpoint refused. */
export class Refusals {
  readonly #fields: RefusedFields;
  readonly #thinking: RefusedThinking;

  /** `thinking` matches the service's words for thinking in the history that it does not take. */
  constructor(fields: readonly OptionalField[], thinking: RegExp) {
    this.#fields = new RefusedFields(fields);
    this.#thinking = new RefusedThinking(thinking);
  }

  /** What to leave out of the next request. */
  get limits(): EndpointLimits {
    return { dropped: this.#fields.dropped, thinkingFrom: this.#thinking.from };
  }

  /** Learns from refusals of this request. */
  learner(request: ModelRequest): Learn {
    return (error: ModelError, sent: string) =>
      this.#thinking.learn(error, request.messages.length) || this.#fields.learn(error, sent);
  }
}
