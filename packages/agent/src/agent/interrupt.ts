/** Waiting for something that may never come, without piling up reactions on a long-lived promise. */
import { OVER } from "../contract/over.ts";
import type { Clock } from "../contract/services.ts";

/** What a wait came to: the awaited value, what it threw, or the reason of the interruption. */
export type Waited<Value, Reason> =
  | { kind: "value"; value: Value }
  | { kind: "thrown"; error: unknown }
  | { kind: "interrupted"; reason: Reason };

/**
 * One interruption for many waits. `Promise.race` with a long-lived promise would keep a reaction for each wait until the
 * end; here only the wait in progress is known.
 */
export class Interrupt<Reason> {
  #fired: { reason: Reason } | undefined;
  #waiter: ((reason: Reason) => void) | undefined;

  /** The first reason counts. */
  fire(reason: Reason): void {
    if (this.#fired) return;
    this.#fired = { reason };
    this.#waiter?.(reason);
  }

  /** Waits for `work`, or for the interruption if that comes first. Never rejects. */
  wait<Value>(work: Promise<Value>): Promise<Waited<Value, Reason>> {
    return new Promise((resolve) => {
      const interrupted = (reason: Reason) => resolve({ kind: "interrupted", reason });
      work.then(
        (value) => resolve({ kind: "value", value }),
        (error: unknown) => resolve({ kind: "thrown", error }),
      );
      if (this.#fired) interrupted(this.#fired.reason);
      else this.#waiter = interrupted;
    });
  }
}

/** Calls `act` when the signal aborts (at once if it has). Returns how to stop listening. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => undefined;
  }
  signal.addEventListener("abort", act, { once: true });
  return () => signal.removeEventListener("abort", act);
}

/**
 * Waits for `work`; once the signal aborts, `graceMs` more, then gives up on it (its late value is dropped).
 * What `work` throws is `thrown`; it never rejects.
 */
export async function waitUnlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  clock: Clock,
  graceMs: number,
): Promise<Waited<Value, "aborted">> {
  const interrupt = new Interrupt<"aborted">();
  const over = new AbortController();
  const giveUp = () => {
    if (graceMs <= 0) interrupt.fire("aborted");
    else void clock.sleep(graceMs, over.signal).then(() => interrupt.fire("aborted"));
  };
  const stopListening = onAbort(signal, giveUp);
  const waited = await interrupt.wait(work);
  stopListening();
  over.abort(OVER);
  return waited;
}
