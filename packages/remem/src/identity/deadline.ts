/** Time that several lookups have together. */
export interface Deadline {
  /** What the work gives, or `fallback` when it fails or the time is over; work goes on by itself then, and nobody waits for it. */
  within<T>(work: () => Promise<T>, fallback: T): Promise<T>;
  /** Milliseconds that are left, not below 0. */
  remaining(): number;
}

/** Lookups on a folder that does not answer (a network drive that is gone) must not hold up whoever asks. */
export function deadline(milliseconds: number, now: () => number = () => performance.now()): Deadline {
  const end = now() + milliseconds;
  const remaining = (): number => Math.max(0, end - now());
  return {
    remaining,
    within: async (work, fallback) => {
      const left = remaining();
      if (left === 0) return fallback;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<typeof fallback>((resolve) => {
        timer = setTimeout(() => resolve(fallback), left);
      });
      try {
        return await Promise.race([work().catch(() => fallback), late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
