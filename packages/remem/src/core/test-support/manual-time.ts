import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";

/** A clock and timers that stand still until a test moves them on. */
export class ManualTime implements Clock, Scheduler {
  #now: number;
  #timers: { readonly at: number; readonly task: () => void }[] = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  get waiting(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, task: () => void): () => void {
    const timer = { at: this.#now + milliseconds, task };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  soon(task: () => void): void {
    queueMicrotask(task);
  }

  /** Moves time on and runs what is due, in order. */
  pass(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
    this.#now = until;
  }
}

/** Lets everything that is ready to go on do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
