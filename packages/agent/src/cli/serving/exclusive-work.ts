import { PiError } from "../../contract/errors.ts";

/** What a conversation does, one thing at a time. */
export class ExclusiveWork {
  #abort: AbortController | undefined;
  #over: Promise<void> = Promise.resolve();

  get busy(): boolean {
    return this.#abort !== undefined;
  }

  /** It was told to stop and has not ended yet. */
  get stopping(): boolean {
    return this.#abort?.signal.aborted === true;
  }

  /**
   * Takes the conversation, prepares, and starts. Rejects with `busy` at once, or with what `prepare` rejects with, and then nothing
   * goes on. `ended` is the end of what `prepare` gave.
   */
  async start<T>(
    prepare: (signal: AbortSignal) => Promise<() => Promise<T>>,
  ): Promise<{ ended: Promise<T> }> {
    if (this.busy) throw busy();
    const abort = new AbortController();
    const over = Promise.withResolvers<void>();
    this.#abort = abort;
    this.#over = over.promise;
    const release = () => {
      this.#abort = undefined;
      over.resolve();
    };
    try {
      const work = await prepare(abort.signal);
      return { ended: work().finally(release) };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Stops what is in progress; resolves when it is over. */
  async cancel(): Promise<void> {
    this.#abort?.abort();
    await this.#over;
  }
}

function busy(): PiError {
  return new PiError({
    code: "busy",
    message: "this session is busy with a prompt",
    hint: "Wait for its message_end, steer it, or cancel it.",
  });
}
