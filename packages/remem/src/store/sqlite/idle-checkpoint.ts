import type { SqlConnection, SqlRow } from "./driver.ts";

/** Writes after which the log is worth carrying over: about a thousand pages. */
const WORTH_WRITES = 40;
const QUIET_MS = 200;

/** Starts `work` later without keeping the program alive for it; gives what calls it off. */
export type Schedule = (work: () => void, milliseconds: number) => () => void;

const scheduled: Schedule = (work, milliseconds) => {
  const timer = setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
};

/**
 * Carries the write-ahead log over into the database while nobody waits. SQLite would do it within a write, which then takes ten
 * times as long; what is in the log is as safe as what is in the database, so that later is no risk.
 */
export class IdleCheckpoint {
  readonly #connection: SqlConnection;
  readonly #schedule: Schedule;
  #writes = 0;
  #callOff: (() => void) | undefined;
  /** Erased bytes are still in the log. */
  #unscrubbed = false;

  constructor(connection: SqlConnection, schedule: Schedule = scheduled) {
    this.#connection = connection;
    this.#schedule = schedule;
  }

  /** A transaction was written. */
  noteWrite(): void {
    this.#writes++;
    if (this.#writes >= WORTH_WRITES) this.#plan();
  }

  /** Leaves no byte of what was erased in the log: at once, or, while others read from it, again when they may have ended. */
  scrub(): void {
    this.#unscrubbed = !this.#truncate();
    if (this.#unscrubbed) this.#plan();
  }

  end(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    if (this.#unscrubbed) this.#truncate();
  }

  #plan(): void {
    this.#callOff ??= this.#schedule(() => this.#carryOver(), QUIET_MS);
  }

  #carryOver(): void {
    this.#callOff = undefined;
    this.#writes = 0;
    if (this.#unscrubbed) this.scrub();
    // PASSIVE waits for nobody; what a reader still needs is left for the next time.
    else this.#checkpoint("PASSIVE");
  }

  #truncate(): boolean {
    return this.#checkpoint("TRUNCATE")?.["busy"] === 0;
  }

  #checkpoint(mode: "PASSIVE" | "TRUNCATE"): SqlRow | undefined {
    try {
      return this.#connection.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
    } catch {
      // The log stays longer; the next write that finds it too long reports what is wrong.
      return undefined;
    }
  }
}
