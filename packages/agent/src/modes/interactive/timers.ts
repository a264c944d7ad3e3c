import { systemClock } from "../../platform/clock.ts";

/** Time as the surface needs it, in milliseconds. Each timer gives the function that ends it. */
export interface Timers {
  now(): number;
  every(ms: number, tick: () => void): () => void;
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => systemClock.now(),
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
