import type { PiAssistantMessage } from "../pi-types.ts";

/** An answer as it comes: an async iterable of events, and a promise of the whole message, as Pi's libraries give it. Never rejects: a failure is a message with `stopReason: "error"`. */
export class AnswerStream implements AsyncIterable<unknown> {
  readonly #events: unknown[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #result = Promise.withResolvers<PiAssistantMessage>();
  #ended = false;

  push(event: unknown): void {
    if (this.#ended) return;
    this.#events.push(event);
    const { type, message, error } = event as {
      type?: string;
      message?: PiAssistantMessage;
      error?: PiAssistantMessage;
    };
    if (type === "done" && message !== undefined) this.end(message);
    else if (type === "error" && error !== undefined) this.end(error);
    this.#wake();
  }

  end(result?: PiAssistantMessage): void {
    if (result !== undefined) this.#result.resolve(result);
    this.#ended = true;
    this.#wake();
  }

  result(): Promise<PiAssistantMessage> {
    return this.#result.promise;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (let next = 0; ; ) {
      while (next < this.#events.length) yield this.#events[next++];
      if (this.#ended) return;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
