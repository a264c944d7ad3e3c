/**
 * Writes text to a file descriptor in order, without blocking the event loop and without losing what is pending at exit.
 * What is written while a write is under way goes out together with the next one. A reader that went away (EPIPE) is
 * reported once through `onClosed`; later text is dropped.
 */
export class OutputStream {
  #pending = "";
  #writing: Promise<void> | null = null;
  #closed = false;
  /** Bun's own: the asynchronous half of node:fs would cost every start some 5 ms. */
  #sink: Bun.FileSink | null = null;

  readonly #descriptor: number;
  readonly #onClosed: (error: Error) => void;

  constructor(descriptor: number, onClosed: (error: Error) => void) {
    this.#descriptor = descriptor;
    this.#onClosed = onClosed;
  }

  /** Resolves when this text has been handed to the system: awaiting it is back-pressure. Never rejects. */
  write(text: string): Promise<void> {
    if (this.#closed || text === "") return Promise.resolve();
    this.#pending += text;
    this.#writing ??= this.#drain();
    return this.#writing;
  }

  /** Resolves when everything written so far is out. */
  flush(): Promise<void> {
    return this.#writing ?? Promise.resolve();
  }

  async #drain(): Promise<void> {
    try {
      this.#sink ??= Bun.file(this.#descriptor).writer();
      while (this.#pending !== "") {
        const text = this.#pending;
        this.#pending = "";
        await this.#sink.write(text);
        await this.#sink.flush();
      }
    } catch (error) {
      this.#closed = true;
      this.#pending = "";
      this.#onClosed(error as Error);
    } finally {
      this.#writing = null;
    }
  }
}
