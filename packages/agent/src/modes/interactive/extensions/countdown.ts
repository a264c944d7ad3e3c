import type { Timers } from "../timers.ts";

/** The time that is left for an answer, from now on. Dispose of it when the answer is there. */
export class Countdown {
  readonly #timers: Timers;
  readonly #end: number | undefined;
  readonly #undo: (() => void)[] = [];

  /** `tick` comes each second, `over` when the time is over; without a time neither comes. */
  constructor(
    timeoutMs: number | undefined,
    timers: Timers,
    on: { readonly tick: () => void; readonly over: () => void },
  ) {
    this.#timers = timers;
    if (timeoutMs === undefined || !Number.isFinite(timeoutMs) || timeoutMs <= 0) return;
    this.#end = timers.now() + timeoutMs;
    this.#undo.push(timers.every(1_000, on.tick), timers.after(timeoutMs, on.over));
  }

  /** ` (12s)`; nothing without a time. */
  get text(): string {
    if (this.#end === undefined) return "";
    return ` (${Math.max(0, Math.ceil((this.#end - this.#timers.now()) / 1_000))}s)`;
  }

  [Symbol.dispose](): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}
