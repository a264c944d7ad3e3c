/** What one unit of work cost at one size. */
export interface Point {
  size: number;
  value: number;
}

/** A cost as `constant + factor · size ^ exponent`. */
export interface Fit {
  constant: number;
  factor: number;
  exponent: number;
  /** The highest value over the first one: how much the cost grew over the whole range. */
  growth: number;
}

/** A cost that grew less than this over its whole range is called constant: repeated measurements differ as much. */
const NOISE = 1.2;
/** Relative error (root of the mean square) that measurements have anyway: within it the smallest exponent is the one that they prove. */
const MOST_ERROR = 0.03;
const STEP = 0.01;
const MOST = 3;

/**
 * The fit with the least sum of squared relative errors (near the curve, that is least squares in log-log), so that small and large sizes
 * count alike; of fits that miss by less than noise, the one that grows slowest. Points in rising order; a point of size 0 is the constant, measured. Throws for fewer than two points.
 */
export function fitGrowth(points: readonly Point[]): Fit {
  const [first] = points;
  if (first === undefined || points.length < 2)
    throw new Error(`${points.length} points have no fit: give two or more`);
  const growth = Math.max(...points.map(({ value }) => value)) / first.value;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / points.length;
  if (growth <= NOISE) return { constant: mean, factor: 0, exponent: 0, growth };
  const known = first.size === 0 ? first.value : undefined;
  const fits: (LinearFit & { exponent: number })[] = [];
  for (let exponent = STEP; exponent <= MOST; exponent += STEP)
    fits.push({ ...linearFit(points, exponent, known), exponent });
  const least = Math.min(...fits.map(({ error }) => error));
  const { constant, factor, exponent } = fits.find(({ error }) => error <= Math.max(least, MOST_ERROR))!;
  return { constant, factor, exponent, growth };
}

/** The growth in words, by the exponent of what grows. */
export function growthWords({ exponent, factor }: Fit): string {
  if (factor === 0) return "constant";
  if (exponent <= 0.3) return "hardly grows";
  if (exponent <= 0.7) return "grows with the square root";
  return exponent <= LINEAR ? "linear" : "worse than linear";
}

/** The largest exponent that still counts as linear: with five points and a few percent of noise a line comes out at up to this. */
export const LINEAR = 1.25;

interface LinearFit {
  constant: number;
  factor: number;
  /** Relative, as the root of the mean square. */
  error: number;
}

/** Constant and factor (neither below 0) for a given exponent, by weighted linear least squares; the weights make errors relative. */
function linearFit(points: readonly Point[], exponent: number, known: number | undefined): LinearFit {
  const terms = points.map(({ size, value }) => ({
    one: 1 / value,
    grown: size ** exponent / value,
  }));
  const sum = (of: (term: { one: number; grown: number }) => number): number =>
    terms.reduce((total, term) => total + of(term), 0);
  const factorFor = (constant: number): number =>
    Math.max(0, sum(({ one, grown }) => grown * (1 - constant * one)) / sum(({ grown }) => grown ** 2));
  const mixed = sum(({ one, grown }) => one * grown);
  const determinant = sum(({ one }) => one ** 2) * sum(({ grown }) => grown ** 2) - mixed ** 2;
  const free =
    (sum(({ one }) => one) * sum(({ grown }) => grown ** 2) - sum(({ grown }) => grown) * mixed) /
    determinant;
  const constant = known ?? Math.max(0, Number.isFinite(free) ? free : 0);
  const factor = factorFor(constant);
  const squares = sum(({ one, grown }) => (1 - constant * one - factor * grown) ** 2);
  return { constant, factor, error: Math.sqrt(squares / points.length) };
}
