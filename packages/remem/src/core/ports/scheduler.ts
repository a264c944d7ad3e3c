/** Timers, injected so that tests own them. A waiting timer never keeps a process alive. */
export interface Timers {
  /** Runs `task` once after so many milliseconds; gives what calls it off. */
  after(milliseconds: number, task: () => void): () => void;
}

/** When work is done that nobody waits for. */
export interface Scheduler extends Timers {
  /** Runs `task` once what is under way now has run as far as it can: a host has sent its request by then. */
  soon(task: () => void): void;
}

/** The timers of this runtime. */
export const SYSTEM_SCHEDULER: Scheduler = {
  after: (milliseconds, task) => {
    const timer: unknown = setTimeout(task, milliseconds);
    if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
      timer.unref();
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  },
  soon: (task) => void setImmediate(task),
};
