import { write } from "node:fs";
import { systemCode } from "../contract/errors.ts";

/**
 * Writes text to a file descriptor in order, without blocking the event loop and without losing what is pending at exit.
 * What is written while a write is under way goes out together with the next one. A reader that went away (EPIPE) is
 * reported once through `onClosed`; later text is dropped.
 */
export class OutputStream {
  #pending = "";
  #writing: Promise<void> | null = null;
  #closed = false;

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
      while (this.#pending !== "") {
        let bytes: Uint8Array = Buffer.from(this.#pending, "utf8");
        this.#pending = "";
        while (bytes.length > 0) {
          const count = await this.#writeOnce(bytes);
          bytes = bytes.subarray(count);
        }
      }
    } catch (error) {
      this.#closed = true;
      this.#pending = "";
      this.#onClosed(error as Error);
    } finally {
      this.#writing = null;
    }
  }

  async #writeOnce(bytes: Uint8Array): Promise<number> {
    try {
      return await new Promise<number>((resolve, reject) => {
        write(this.#descriptor, bytes, 0, bytes.length, null, (error, count) =>
          error ? reject(error) : resolve(count),
        );
      });
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") throw error;
      // The other end made our pipe non-blocking and is slow: give it a moment.
      await new Promise((resolve) => setTimeout(resolve, 2));
      return 0;
    }
  }
}
