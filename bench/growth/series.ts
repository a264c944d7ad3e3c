import { type Fit, fitGrowth, LINEAR, type Point } from "./fit.ts";

/** What a cost may do as the size grows: stay (almost) what it is, or grow with it. */
export type Limit = "flat" | "linear";

/** One cost at growing sizes. */
export interface Series {
  /** The unit of work: "a step", "resume". */
  name: string;
  unit: "ms" | "MiB" | "KB";
  limit: Limit;
  points: readonly Point[];
}

/** The costs that grow with one thing; `name` is also the name of its plot and section. */
export interface Growth {
  name: string;
  /** What is counted: "steps in the session". */
  sizes: string;
  series: readonly Series[];
}

/** How one benchmark of growth is run: its sizes in rising order, and runs of which the fastest counts. */
export interface GrowthShape {
  sizes: readonly number[];
  runs: number;
}

/** A flat cost grows at most so often over its whole range, or no faster than with the size to the power of {@link FLAT_EXPONENT}. */
export const FLAT_GROWTH = 1.5;
export const FLAT_EXPONENT = 0.3;

/** What a limit promises, for people. */
export const LIMIT_WORDS: Readonly<Record<Limit, string>> = {
  flat: `≤ ${FLAT_GROWTH} × in all, or ≤ n^${FLAT_EXPONENT}`,
  linear: "no worse than linear",
};

/** The fit of a series and whether it keeps its limit. */
export function judge({ points, limit }: Series): { fit: Fit; met: boolean } {
  const fit = fitGrowth(points);
  const flat = fit.growth <= FLAT_GROWTH || fit.exponent <= FLAT_EXPONENT;
  return { fit, met: limit === "flat" ? flat : fit.exponent <= LINEAR };
}
