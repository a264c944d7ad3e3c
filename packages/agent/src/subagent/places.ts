import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../contract/services.ts";
import { type Lock, tryLock } from "../platform/lock.ts";

/** Subagents of one session that may ask models at the same time, over all depths. */
export const MOST_PLACES = 5;

/** Two processes that wait must not meet again and again at the same moments. */
const LOOK_AGAIN_MS = { least: 15, spread: 20 };

/** A place that is held; `give` may be called more than once. */
export interface Place {
  give(): void;
}

/**
 * The places for subagents of a session: lock files in a folder that all of its agents share. The holder is the parent of the
 * subagent, so that a killed one frees its places with its death. In one process places are given in the order of asking.
 */
export class Places {
  readonly #folder: string;
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();
  #made = false;

  constructor(team: string, clock: Clock) {
    this.#folder = join(team, "places");
    this.#clock = clock;
  }

  /** Waits for a place; null when the signal aborts before there is one. Rejects with a PiError when the disk refuses. */
  take(signal: AbortSignal): Promise<Place | null> {
    const before = this.#last.catch(() => undefined);
    const mine = before.then(() => this.#wait(signal));
    this.#last = mine;
    return mine;
  }

  async #wait(signal: AbortSignal): Promise<Place | null> {
    while (!signal.aborted) {
      const lock = this.#try();
      if (lock !== null) return { give: () => lock.release() };
      await this.#clock.sleep(LOOK_AGAIN_MS.least + Math.random() * LOOK_AGAIN_MS.spread, signal);
    }
    return null;
  }

  #try(): Lock | null {
    if (!this.#made) mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#made = true;
    for (let number = 1; number <= MOST_PLACES; number++) {
      const attempt = tryLock(join(this.#folder, String(number)));
      if ("lock" in attempt) return attempt.lock;
    }
    return null;
  }
}
