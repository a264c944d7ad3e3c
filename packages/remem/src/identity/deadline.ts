/** Time that several lookups have together. */
export interface Deadline {
  /** What the work gives, or `fallback` when it fails or the time is over; work goes on by itself then, and nobody waits for it. */
  within<T>(work: () => Promise<T>, fallback: T): Promise<T>;
  /** Milliseconds that are left, not below 0. */
  remaining(): number;
}

/** How often the time is looked at while somebody waits, and how much of it counts at most for one look. */
const LOOK_MS = 20;
const MOST_AT_ONCE_MS = 2 * LOOK_MS;

/**
 * Lookups on a folder that does not answer (a network drive that is gone) must not hold up whoever asks. What counts is the time in which
 * an answer could have been heard: a program that is busy with its own start hears none, however long that takes.
 */
export function deadline(milliseconds: number, now: () => number = () => performance.now()): Deadline {
  let counted = 0;
  let last = now();
  const remaining = (): number => {
    const at = now();
    counted += Math.min(at - last, MOST_AT_ONCE_MS);
    last = at;
    return Math.max(0, milliseconds - counted);
  };
  return {
    remaining,
    within: async (work, fallback) => {
      if (remaining() === 0) return fallback;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<typeof fallback>((resolve) => {
        const look = (): void => {
          const left = remaining();
          if (left === 0) resolve(fallback);
          else timer = setTimeout(look, Math.min(LOOK_MS, left));
        };
        look();
      });
      try {
        return await Promise.race([work().catch(() => fallback), late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
