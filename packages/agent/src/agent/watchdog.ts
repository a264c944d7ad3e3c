/** Notices a stream that has gone silent. */
import { OVER } from "../contract/over.ts";
import type { Clock } from "../contract/services.ts";

/** Timers cannot wait longer than this many milliseconds. */
const LONGEST_SLEEP = 2 ** 31 - 1;

/** Limits on silence in milliseconds; 0 is no limit. */
export interface IdleLimits {
  firstByteMs: number;
  betweenMs: number;
}

/**
 * Counts only the time in which the loop waits for the model: a slow reader of our own events never looks like a stalled
 * model. One sleeper for each of the two limits serves a whole stream, so an event costs two assignments.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #limits: IdleLimits;
  readonly #onStall: (silentMs: number) => void;
  readonly #over = new AbortController();
  #sleeper = 0;
  #waitingSince: number | undefined;
  #limit: number;

  constructor(clock: Clock, limits: IdleLimits, onStall: (silentMs: number) => void) {
    this.#clock = clock;
    this.#limits = { firstByteMs: limits.firstByteMs || Infinity, betweenMs: limits.betweenMs || Infinity };
    this.#onStall = onStall;
    this.#limit = this.#limits.firstByteMs;
    void this.#watch(this.#sleeper);
  }

  /** The loop waits for the model from now on (if it did not already). */
  waiting(): void {
    this.#waitingSince ??= this.#clock.now();
  }

  /** Something meaningful came. */
  heard(): void {
    this.#waitingSince = undefined;
    if (this.#limit === this.#limits.betweenMs) return;
    this.#limit = this.#limits.betweenMs;
    // The one that sleeps until the first limit finds that it is not asked any more; waking it would cost more.
    void this.#watch(++this.#sleeper);
  }

  stop(): void {
    this.#over.abort(OVER);
  }

  async #watch(sleeper: number): Promise<void> {
    const { signal } = this.#over;
    let wait = this.#limit;
    for (;;) {
      await this.#clock.sleep(Math.min(wait, LONGEST_SLEEP), signal);
      if (signal.aborted || sleeper !== this.#sleeper) return;
      const silent = this.#waitingSince === undefined ? 0 : this.#clock.now() - this.#waitingSince;
      if (silent >= this.#limit) return this.#onStall(silent);
      wait = this.#limit - silent;
    }
  }
}
