import { PiError } from "../contract/errors.ts";
import type { Clock } from "../contract/services.ts";

export interface Deadline {
  clock: Clock;
  ms: number;
  /** Ends it earlier. */
  signal?: AbortSignal | undefined;
  /** What it means that the time is over. */
  late(): PiError;
}

/**
 * The result of `work`, which is told by its signal when nobody waits any more. Rejects with `late` when the time is over, and with a
 * PiError `aborted` when the person stops it.
 */
export async function within<T>(
  { clock, ms, signal, late }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const stop = () => reject(loginStopped());
  signal?.addEventListener("abort", stop, { once: true });
  try {
    if (signal?.aborted) throw loginStopped();
    void clock.sleep(ms, over.signal).then(() => {
      if (!over.signal.aborted) reject(late());
    });
    return await Promise.race([work(over.signal), promise]);
  } finally {
    signal?.removeEventListener("abort", stop);
    over.abort();
  }
}

/** The person stopped a login. */
export function loginStopped(): PiError {
  return new PiError({ code: "aborted", message: "the login was stopped", exitCode: 130 });
}
