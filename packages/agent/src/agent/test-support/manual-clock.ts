/** Time that stands still until a test moves it. */
import type { Clock } from "../../contract/services.ts";

interface Sleeper {
  until: number;
  wake: () => void;
}

export class ManualClock implements Clock {
  /** Lengths of all sleeps asked for, in order. */
  readonly slept: number[] = [];
  #now = Date.UTC(2026, 0, 1);
  #sleepers: Sleeper[] = [];
  #asleep: (() => void)[] = [];

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    if (signal?.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { until: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      });
      for (const notify of this.#asleep.splice(0)) notify();
    });
  }

  /** Resolves when something sleeps for exactly `ms`. */
  async sleeping(ms: number): Promise<void> {
    while (!this.#sleepers.some((sleeper) => sleeper.until === this.#now + ms))
      await new Promise<void>((resolve) => this.#asleep.push(resolve));
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.until <= this.#now);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.until > this.#now);
    for (const sleeper of due) sleeper.wake();
  }
}
