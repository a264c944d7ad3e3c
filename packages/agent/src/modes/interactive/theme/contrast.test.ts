import { expect, test } from "bun:test";
import { colorToOklch, colorToRgb, parseColor, rgbColor } from "@earendil-works/pi-tui";
import { backgroundBeside, contrast, isDark, readableOn } from "./contrast.ts";

const rgb = (hex: string) => colorToRgb(parseColor(hex));
const hue = (color: { r: number; g: number; b: number }) =>
  colorToOklch(rgbColor(color.r, color.g, color.b)).h;

test("the contrast ratio is that of WCAG 2", () => {
  expect(contrast(rgb("#000000"), rgb("#ffffff"))).toBeCloseTo(21, 5);
  expect(contrast(rgb("#777777"), rgb("#ffffff"))).toBeCloseTo(4.48, 2);
  expect(contrast(rgb("#336699"), rgb("#336699"))).toBe(1);
});

test("a colour that is readable stays as it is", () => {
  expect(readableOn(rgb("#c0caf5"), [rgb("#1a1b26")])).toEqual(rgb("#c0caf5"));
});

test("a colour that is not readable keeps its hue and moves no further than it has to", () => {
  const moved = readableOn(rgb("#9ece6a"), [rgb("#ffffff")]);
  expect(contrast(moved, rgb("#ffffff"))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(moved, rgb("#ffffff"))).toBeLessThan(4.8);
  expect(Math.abs(hue(moved) - hue(rgb("#9ece6a")))).toBeLessThan(4);
});

test("every grey has a readable text colour", () => {
  for (let level = 0; level < 256; level++) {
    const grey = { r: level, g: level, b: level };
    expect(contrast(readableOn(rgb("#7aa2f7"), [grey]), grey)).toBeGreaterThanOrEqual(4.5);
  }
});

test("a dark row made for a dark theme becomes a pale one beside a white background", () => {
  const row = backgroundBeside(rgb("#37222c"), rgb("#ffffff"));
  expect(isDark(row)).toBe(false);
  expect(contrast(rgb("#000000"), row)).toBeGreaterThan(10);
});
