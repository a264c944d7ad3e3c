import type { Slice } from "../spec/parse-plan.ts";

/** Workers at the same time. */
export const MOST_WORKERS = 3;

/**
 * The slices that may begin now, in the order of the plan. A slice begins when all that it depends on is done; beside another one only
 * when the plan says so of both.
 */
export function startable(
  slices: readonly Slice[],
  state: { done: ReadonlySet<number>; running: ReadonlySet<number> },
): Slice[] {
  const { done, running } = state;
  const working = slices.filter(({ number }) => running.has(number));
  if (working.some(({ parallelSafe }) => !parallelSafe)) return [];
  const ready = slices.filter(
    ({ number, depends }) =>
      !done.has(number) && !running.has(number) && depends.every((other) => done.has(other)),
  );
  const [first] = ready;
  if (first === undefined) return [];
  if (!first.parallelSafe && working.length === 0) return [first];
  // One that must be alone waits until those that run are over; others go on meanwhile.
  return ready
    .filter(({ parallelSafe }) => parallelSafe)
    .slice(0, Math.max(0, MOST_WORKERS - working.length));
}
