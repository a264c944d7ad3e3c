import type { Timers } from "../timers.ts";

/** Timers that stand still until a test moves them. */
export class ManualTimers implements Timers {
  #now = 0;
  readonly #pending = new Set<{ at: number; every?: number; run: () => void }>();

  /** How many are running. */
  get running(): number {
    return this.#pending.size;
  }

  now(): number {
    return this.#now;
  }

  every(ms: number, tick: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: ms, run: tick });
  }

  after(ms: number, run: () => void): () => void {
    return this.#add({ at: this.#now + ms, run });
  }

  /** Time passes; what is due runs in its order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#pending].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      if (next.every === undefined) this.#pending.delete(next);
      else next.at += next.every;
      next.run();
    }
    this.#now = until;
  }

  #add(timer: { at: number; every?: number; run: () => void }): () => void {
    this.#pending.add(timer);
    return () => this.#pending.delete(timer);
  }
}
