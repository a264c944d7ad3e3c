import type { Interruption } from "../modes/shared/exit-code.ts";

/** Ends a run from outside: signals, the time limit, a reader that went away. The first cause wins. */
export class Interruptions {
  cause: Interruption = null;
  readonly #controller = new AbortController();
  readonly #undo: (() => void)[] = [];
  readonly #onSecondSignal: (exitCode: number) => void;

  /** `onSecondSignal` ends the process at once: a person who asks twice does not want to wait. */
  constructor(onSecondSignal: (exitCode: number) => void) {
    this.#onSecondSignal = onSecondSignal;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(cause: Exclude<Interruption, null>): void {
    this.cause ??= cause;
    this.#controller.abort();
  }

  /** Takes over SIGINT, SIGTERM and SIGHUP until {@link release}. */
  listen(): void {
    for (const [name, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const) {
      const handler = () => {
        if (this.cause === null) this.stop(name);
        else if (this.signal.aborted && this.cause !== "timeout") this.#onSecondSignal(code);
      };
      process.on(name, handler);
      this.#undo.push(() => process.off(name, handler));
    }
  }

  /** Stops after `seconds`. */
  limit(seconds: number): void {
    const timer = setTimeout(() => this.stop("timeout"), seconds * 1_000);
    this.#undo.push(() => clearTimeout(timer));
  }

  release(): void {
    for (const step of this.#undo.splice(0)) step();
  }
}
