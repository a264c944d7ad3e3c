import type { Figure } from "../report.ts";

/** A count that must be one number and no other. */
export function exactly(goal: number, name: string, count: number, beside: string): Figure {
  return { name, value: String(count), beside, goal: String(goal), met: count === goal };
}
