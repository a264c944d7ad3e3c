import { expect, test } from "bun:test";
import { linePlot } from "./line-plot.ts";

const line = (...points: [number, number][]) => ({
  name: "a & b",
  points: points.map(([x, y]) => ({ x, y })),
});
const plot = (...points: [number, number][]) =>
  linePlot({ title: "t", xLabel: "x", yLabel: "y", lines: [line(...points)] });

function heights(svg: string): number[] {
  const [, points = ""] = /<polyline points="([^"]*)"/.exec(svg) ?? [];
  return points.split(" ").map((point) => Number(point.split(",")[1]));
}

test("equal ratios are equally far apart", () => {
  const [low, middle, high] = heights(plot([1, 2], [10, 20], [100, 200]));
  expect(low! - middle!).toBeCloseTo(middle! - high!, 0);
  expect(low! - middle!).toBeGreaterThan(10);
});

test("a line that stays what it is is level and lies within the area", () => {
  const found = heights(plot([1, 1], [10, 1], [100, 1]));
  expect(new Set(found).size).toBe(1);
  expect(found[0]).toBeLessThanOrEqual(274);
  expect(found[0]).toBeGreaterThanOrEqual(34);
});

test("names cannot end the markup", () => {
  expect(plot([1, 1], [2, 2])).toContain("a &amp; b");
});

test("what has no logarithm is refused by name", () => {
  expect(() => plot([0, 1])).toThrow('the plot "t" needs points above 0');
  expect(() => linePlot({ title: "t", xLabel: "", yLabel: "", lines: [] })).toThrow("needs points");
});
