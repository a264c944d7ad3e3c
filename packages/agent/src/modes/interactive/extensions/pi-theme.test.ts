import { expect, test } from "bun:test";
import { colorToHex, rgbColor } from "@earendil-works/pi-tui";
import { testThemes } from "../test-support/plain-theme.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";
import { PiTheme } from "./pi-theme.ts";
import { BACKGROUND_ROLES, FOREGROUND_ROLES } from "./pi-theme-tokens.ts";

test("each token of Pi's paints, opens and closes its own attribute, and has a colour", () => {
  const theme = new PiTheme(testThemes());
  for (const token of Object.keys(FOREGROUND_ROLES)) {
    expect(theme.fg(token, "x")).toContain("x");
    expect(theme.colors[token]).toBeDefined();
    expect(theme.fg(token, "x").startsWith(theme.getFgAnsi(token))).toBe(true);
  }
  for (const token of Object.keys(BACKGROUND_ROLES))
    expect(theme.bg(token, "x")).toBe(`${theme.getBgAnsi(token)}x\x1b[49m`);
  expect(theme.fg("noSuchToken", "x")).toBe("x");
  expect(theme.fg("constructor", "x")).toBe("x");
});

test("styles take tokens, colours and attributes", () => {
  const theme = new PiTheme(testThemes());
  expect(theme.style("x", { fg: "accent", bold: true })).toBe(theme.bold(theme.fg("accent", "x")));
  expect(theme.style("x", { bg: rgbColor(1, 2, 3) })).toContain("x");
  expect(theme.style("x", { italic: true, underline: true, strikethrough: true, inverse: true })).toBe(
    theme.inverse(theme.strikethrough(theme.underline(theme.italic("x")))),
  );
});

test("without colours nothing has one, not even an extension's own", () => {
  const theme = new PiTheme(testThemes("colourless"));
  expect(theme.fg("accent", "x")).toBe("x");
  expect(theme.style("x", { fg: rgbColor(1, 2, 3), bold: true })).toBe("x");
  expect(theme.getFgAnsi("accent")).toBe("");
  expect(colorToHex(theme.colors["accent"]!)).toBe("#ffffff");
});

test("the object follows the theme that is drawn, and extensions may choose one, by Pi's names too", async () => {
  await using bench = await SurfaceBench.open();
  const theme = bench.ui.theme() as PiTheme;
  expect(bench.ui.themes().map(({ name }) => name)).toEqual(
    expect.arrayContaining(["nord", "dark", "light"]),
  );
  expect(bench.ui.setTheme("nord")).toEqual({ success: true });
  expect(theme.name).toBe("nord");
  const before = theme.fg("accent", "x");
  expect(bench.ui.setTheme("light")).toEqual({ success: true });
  expect(theme.fg("accent", "x")).not.toBe(before);
  expect(bench.ui.setTheme("nowhere")).toEqual({ success: false, error: 'there is no theme "nowhere"' });
  expect(bench.ui.theme()).toBe(theme);
});

test("what an extension paints changes with the theme", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.setTheme("nord");
  bench.ui.setStatus(extension(), "k", "a word");
  await bench.until("a word");
  const { length } = bench.terminal.written;
  bench.ui.setTheme("light");
  await bench.terminal.nextWrite();
  expect(bench.terminal.written.slice(length).join("")).toContain("a word");
});
