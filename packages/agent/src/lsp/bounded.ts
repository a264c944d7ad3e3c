import { OVER } from "../contract/over.ts";
import type { Clock } from "../contract/services.ts";

/** How long something may take, and what ends it before. */
export interface Bounds {
  ms: number;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

/** What a bounded wait came to. */
export type Waited<Value> = { kind: "value"; value: Value } | { kind: "timeout" } | { kind: "aborted" };

/** Waits for `work`, but no longer than the bounds allow. Rejects only as `work` does. A late value is dropped. */
export async function waitWithin<Value>(work: Promise<Value>, bounds: Bounds): Promise<Waited<Value>> {
  const { ms, clock, signal } = bounds;
  if (signal?.aborted) {
    work.catch(() => undefined);
    return { kind: "aborted" };
  }
  const over = new AbortController();
  const stop = () => over.abort(OVER);
  let aborted = false;
  const onAbort = () => {
    aborted = true;
    stop();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const limit = clock
    .sleep(Math.max(0, ms), over.signal)
    .then((): Waited<Value> => ({ kind: aborted ? "aborted" : "timeout" }));
  try {
    return await Promise.race([work.then((value): Waited<Value> => ({ kind: "value", value })), limit]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    stop();
  }
}

/** A stretch of time that several steps share. */
export class Deadline {
  readonly #clock: Clock;
  readonly #end: number;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#end = clock.now() + ms;
  }

  /** Milliseconds that are left; never negative. */
  get left(): number {
    return Math.max(0, this.#end - this.#clock.now());
  }
}
