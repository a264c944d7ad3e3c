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
 * model. One sleeper serves a whole stream, so an event costs two assignments.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #limits: IdleLimits;
  readonly #onStall: (silentMs: number) => void;
  #sleeper = new AbortController();
  #waitingSince: number | undefined;
  #limit: number;
  #stopped = false;

  constructor(clock: Clock, limits: IdleLimits, onStall: (silentMs: number) => void) {
    this.#clock = clock;
    this.#limits = { firstByteMs: limits.firstByteMs || Infinity, betweenMs: limits.betweenMs || Infinity };
    this.#onStall = onStall;
    this.#limit = this.#limits.firstByteMs;
    void this.#watch(this.#sleeper.signal);
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
    this.#sleeper.abort(OVER);
    this.#sleeper = new AbortController();
    void this.#watch(this.#sleeper.signal);
  }

  stop(): void {
    this.#stopped = true;
    this.#sleeper.abort();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let wait = this.#limit;
    for (;;) {
      await this.#clock.sleep(Math.min(wait, LONGEST_SLEEP), signal);
      if (this.#stopped || signal.aborted) return;
      const silent = this.#waitingSince === undefined ? 0 : this.#clock.now() - this.#waitingSince;
      if (silent >= this.#limit) return this.#onStall(silent);
      wait = this.#limit - silent;
    }
  }
}
