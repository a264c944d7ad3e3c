import type { Clock } from "../../core/ports/clock.ts";
import type { Timers } from "../../core/ports/scheduler.ts";
import { errorName, type Timed, within } from "../../core/within.ts";

/** Where a host is told that something of memory went wrong: codes and names, never a text that could quote a memory. */
export type HostTrouble = (what: string, error: string) => void;

const CLOCK: Clock = { now: () => Date.now() };
/** A handler that the host waits for has to end even when nothing else keeps the process alive: these timers do, for as long as the bound is. */
const WAITING: Timers = {
  after: (milliseconds, task) => {
    const timer = setTimeout(task, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Makes a handler that can hurt no host: what it throws is told in one word, and the host goes on as if it had not been there. A host
 * awaits what it gives, so whatever it waits for has to be bounded (see {@link bounded}).
 */
export function failOpen<Arguments extends readonly unknown[], Result>(
  name: string,
  trouble: HostTrouble,
  handler: (...given: Arguments) => Promise<Result> | Result,
): (...given: Arguments) => Promise<Result | undefined> {
  return async (...given) => {
    try {
      return await handler(...given);
    } catch (error) {
      tell(trouble, name, error);
      return undefined;
    }
  };
}

/** Work that nobody waits for: its failure is told in one word. */
export function detached(name: string, trouble: HostTrouble, work: () => Promise<unknown> | undefined): void {
  void failOpen(name, trouble, work)();
}

/** Work with a limit in milliseconds and the host's own signal; see {@link Timed} for how it may end. Never rejects. The work's signal fires when either is over. */
export function bounded<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Timed<T>> {
  return within({ milliseconds, clock: CLOCK, scheduler: WAITING, signal }, work);
}

function tell(trouble: HostTrouble, name: string, error: unknown): void {
  try {
    trouble(name, errorName(error));
  } catch {
    // Whoever is told has trouble of its own.
  }
}
