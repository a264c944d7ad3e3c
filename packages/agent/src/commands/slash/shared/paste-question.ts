import type { Dialogs } from "../../../contract/slash-command.ts";

/** Asks for what a browser ended at, while the browser may still come back by itself. Disposing of it takes the question away. */
export class PasteQuestion implements Disposable {
  readonly #dialogs: Dialogs | null;
  readonly #stop = new AbortController();
  readonly #over = new AbortController();
  /** Aborted when the person gives up: by Esc, or by dismissing the question. */
  readonly signal: AbortSignal;

  /** `dialogs` null: nobody is there, and nothing is asked. */
  constructor(dialogs: Dialogs | null, signal: AbortSignal) {
    this.#dialogs = dialogs;
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
  }

  /** The person dismissed the question. */
  get dismissed(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Asks until an answer is taken. */
  ask(title: string, take: (text: string) => boolean): void {
    const dialogs = this.#dialogs;
    if (dialogs !== null) void this.#ask(dialogs, title, take);
  }

  async #ask(dialogs: Dialogs, title: string, take: (text: string) => boolean): Promise<void> {
    const over = this.#over.signal;
    for (let wrong = false; !over.aborted; wrong = true) {
      const asked = `${wrong ? "That is not the answer to this question. " : ""}${title}`;
      const typed = await dialogs.ask({ title: asked }, AbortSignal.any([this.signal, over]));
      if (over.aborted) return;
      if (typed === null) return this.#stop.abort();
      if (typed.trim() !== "" && take(typed)) return;
    }
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }
}
