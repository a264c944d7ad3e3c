import { errorMessage, isPiError } from "../../contract/errors.ts";
import type { HostChange } from "../../contract/interactive.ts";

/** What runs beside the answer and can be stopped: `!commands` and slash commands. */
export class RunningWork {
  readonly #running = new Set<AbortController>();
  readonly #emit: (notice: HostChange) => void;

  /** What a piece of work throws is emitted as a notice. */
  constructor(emit: (notice: HostChange) => void) {
    this.#emit = emit;
  }

  /** Whether anything runs that has not been told to stop. */
  get stoppable(): boolean {
    return [...this.#running].some((controller) => !controller.signal.aborted);
  }

  /** Runs `work` with a signal that {@link stop} aborts. Never rejects. */
  async run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running.add(controller);
    try {
      await work(controller.signal);
    } catch (thrown) {
      const hint = isPiError(thrown) ? thrown.hint : undefined;
      const message = errorMessage(thrown);
      this.#emit({ type: "notice", level: "error", message, ...(hint === undefined ? {} : { hint }) });
    } finally {
      this.#running.delete(controller);
    }
  }

  /** Stops everything; false when there was nothing to stop. */
  stop(): boolean {
    const stopped = this.stoppable;
    for (const controller of this.#running) controller.abort();
    return stopped;
  }
}

/** Waits for `done`; false when the signal aborts first. */
export async function unlessStopped(done: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await Promise.race([done, stopped]);
  return !signal.aborted;
}
