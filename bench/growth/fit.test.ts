import { expect, test } from "bun:test";
import { fitGrowth, growthWords, type Point } from "./fit.ts";

const SIZES = [10, 62, 390, 2_400, 15_000] as const;

function measured(cost: (size: number) => number, sizes: readonly number[] = SIZES): Point[] {
  // A few percent up and down, as machines have it.
  const noise = [1, 1.02, 0.98, 1.01, 0.99];
  return sizes.map((size, index) => ({ size, value: cost(size) * noise[index]! }));
}

test.each([
  ["constant", 0, () => 31],
  ["grows with the square root", 0.5, (n: number) => 4 + 2 * Math.sqrt(n)],
  ["linear", 1, (n: number) => 31 + 0.05 * n],
  ["linear", 1, (n: number) => 0.2 * n],
  ["worse than linear", 2, (n: number) => 31 + 0.001 * n * n],
] as const)("a cost that is %s is told with its exponent %p", (words, exponent, cost) => {
  const fit = fitGrowth(measured(cost));
  expect(growthWords(fit)).toBe(words);
  expect(Math.abs(fit.exponent - exponent)).toBeLessThan(0.15);
});

test("the constant part of a cost is found though it is larger than what grows at small sizes", () => {
  const fit = fitGrowth(measured((n) => 100 + 0.1 * n));
  expect(fit.constant).toBeGreaterThan(90);
  expect(fit.constant).toBeLessThan(110);
});

test("a point of size 0 is the constant", () => {
  const fit = fitGrowth(measured((n) => 8 + 0.2 * n, [0, 6, 25, 100, 400]));
  expect(fit.constant).toBe(8);
  expect(growthWords(fit)).toBe("linear");
});

test("the curve runs through what was measured", () => {
  const points = measured((n) => 31 + 0.05 * n);
  const { constant, factor, exponent } = fitGrowth(points);
  for (const { size, value } of points)
    expect(Math.abs((constant + factor * size ** exponent) / value - 1)).toBeLessThan(0.1);
});

test("one point has no fit", () => {
  expect(() => fitGrowth([{ size: 1, value: 1 }])).toThrow("1 points have no fit");
});
