import type { Clock } from "./ports/clock.ts";
import type { Timers } from "./ports/scheduler.ts";

/** What came of work that had a time limit. `error` is a code or a name, never a text: that could quote a memory. */
export type Timed<T> =
  | { readonly outcome: "ok"; readonly value: T; readonly milliseconds: number }
  | {
      readonly outcome: "failed" | "timed_out" | "aborted";
      readonly error?: string;
      readonly milliseconds: number;
    };

export interface TimeLimit {
  readonly milliseconds: number;
  readonly clock: Clock;
  readonly scheduler: Timers;
  readonly signal: AbortSignal | undefined;
}

/** Runs work under a time limit and the caller's signal; its own signal tells it to stop when either is over. Never rejects. */
export async function within<T>(
  limit: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Timed<T>> {
  const { clock, scheduler, signal } = limit;
  const started = clock.now();
  const ended = (outcome: "failed" | "timed_out" | "aborted", error?: string): Timed<T> => ({
    outcome,
    milliseconds: clock.now() - started,
    ...(error === undefined ? {} : { error }),
  });
  if (signal?.aborted === true) return ended("aborted");
  const controller = new AbortController();
  let cancelTimer = (): void => undefined;
  let unlisten = (): void => undefined;
  const over = new Promise<Timed<T>>((resolve) => {
    cancelTimer = scheduler.after(limit.milliseconds, () => resolve(ended("timed_out")));
    const onAbort = (): void => resolve(ended("aborted"));
    signal?.addEventListener("abort", onAbort, { once: true });
    unlisten = () => signal?.removeEventListener("abort", onAbort);
  });
  const done = Promise.resolve()
    .then(() => work(controller.signal))
    .then(
      (value): Timed<T> => ({ outcome: "ok", value, milliseconds: clock.now() - started }),
      (error: unknown) => ended("failed", errorName(error)),
    );
  try {
    return await Promise.race([done, over]);
  } finally {
    cancelTimer();
    unlisten();
    controller.abort();
  }
}

/** The code or the name of whatever was thrown. */
export function errorName(error: unknown): string {
  if (typeof error !== "object" || error === null) return typeof error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  const short = (value: unknown): value is string =>
    typeof value === "string" && /^[\w.-]{1,40}$/.test(value);
  return short(code) ? code : short(name) ? name : "Error";
}
