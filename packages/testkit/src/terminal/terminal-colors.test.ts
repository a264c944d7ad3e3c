import { expect, test } from "bun:test";
import { contrastRatio, DARK_TERMINAL, paletteColor, shownColors } from "./terminal-colors.ts";

const PLAIN = {
  foreground: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strikethrough: false,
  inverse: false,
  invisible: false,
};

test("the contrast of black and white is 21, and of a colour with itself 1", () => {
  expect(contrastRatio("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrastRatio("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrastRatio("#123456", "#123456")).toBe(1);
});

test("the 256 colours are those of xterm", () => {
  const colors = [1, 16, 21, 196, 231, 232, 255].map((index) => paletteColor(index, DARK_TERMINAL));
  expect(colors).toEqual(["#cd0000", "#000000", "#0000ff", "#ff0000", "#ffffff", "#080808", "#eeeeee"]);
});

test("inverse exchanges, dim fades and invisible hides", () => {
  const { foreground, background } = DARK_TERMINAL;
  const shown = (style: Partial<typeof PLAIN>) => shownColors({ ...PLAIN, ...style }, DARK_TERMINAL);
  expect(shown({ inverse: true })).toEqual({ foreground: background, background: foreground });
  expect(shown({ dim: true }).foreground).toBe("#797979");
  expect(shown({ invisible: true }).foreground).toBe(background);
});
