/** Timers, injected so that tests own them. A waiting timer never keeps a process alive. */
export interface Scheduler {
  /** Runs `task` once after so many milliseconds; gives what calls it off. */
  after(milliseconds: number, task: () => void): () => void;
}

/** The timers of this runtime. */
export const SYSTEM_SCHEDULER: Scheduler = {
  after: (milliseconds, task) => {
    const timer: unknown = setTimeout(task, milliseconds);
    if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
      timer.unref();
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  },
};
