import { expect, test } from "bun:test";
import { colorToRgb, indexedColor, parseColor, type RgbColor, rgbColor } from "@earendil-works/pi-tui";
import { buildTheme } from "./build-theme.ts";
import { BUILT_IN_THEMES } from "./built-in-themes.ts";
import type { ColorDepth } from "./color-depth.ts";
import { contrast, isDark } from "./contrast.ts";
import type { BackgroundRole, ColorRole, Paint, Theme } from "./theme.ts";
import type { ThemeDefinition } from "./theme-definition.ts";

const rgb = (hex: string) => colorToRgb(parseColor(hex));

/** Backgrounds that terminals report: white, black, tinted, and the greys in the middle where readable text is hardest. */
const REPORTED = ["#ffffff", "#000000", "#0c0c0c", "#fdf6e3", "#002b36", "#300a24", "#777777", "#808080"].map(
  rgb,
);

/** The colour that a paint really writes, of a truecolor or a 256-colour escape sequence. */
function written(paint: Paint): RgbColor {
  const opened = /^\x1b\[[34]8;(?:2;(\d+);(\d+);(\d+)|5;(\d+))m/.exec(paint("x"));
  if (!opened) throw new Error(`no colour in ${JSON.stringify(paint("x"))}`);
  const [, r, g, b, index] = opened;
  return colorToRgb(
    index === undefined ? rgbColor(Number(r), Number(g), Number(b)) : indexedColor(Number(index)),
  );
}

/** Pairs of role and background that are below 4.5:1. */
function unreadable(theme: Theme, base: RgbColor): string[] {
  const found: string[] = [];
  const check = (role: ColorRole, on: string, background: RgbColor) => {
    const ratio = contrast(written(theme.color[role]), background);
    if (ratio < 4.5) found.push(`${theme.name}: ${role} on ${on} has ${ratio.toFixed(2)}`);
  };
  for (const role of Object.keys(theme.color) as ColorRole[])
    if (role !== "border") check(role, "base", base);
  for (const role of Object.keys(theme.background) as BackgroundRole[])
    check("text", role, written(theme.background[role]));
  check("diffAdded", "diffAdded", written(theme.background.diffAdded));
  check("diffRemoved", "diffRemoved", written(theme.background.diffRemoved));
  return found;
}

function built(definition: ThemeDefinition, depth: ColorDepth, background: RgbColor): Theme {
  return buildTheme(definition, { depth, kind: isDark(background) ? "dark" : "light", background });
}

const coloured = BUILT_IN_THEMES.filter((theme) => theme.colors !== "terminal");

test.each(coloured.map((theme) => [theme.name, theme] as const))(
  "%s has a contrast of 4.5:1 in every role, on its own background and on those that terminals report, in both depths [T07] [A-TUI-04]",
  (_name, definition) => {
    const own = rgb((definition.colors as { base: string }).base);
    for (const depth of ["truecolor", "256"] as const)
      for (const background of [own, ...REPORTED])
        expect(unreadable(built(definition, depth, background), background)).toEqual([]);
  },
);

test.each(coloured.map((theme) => [theme.name, theme] as const))(
  "%s keeps its published text colour on its own background",
  (_name, definition) => {
    const colors = definition.colors as { base: string; text: string };
    if (contrast(rgb(colors.text), rgb(colors.base)) < 7) return; // too soft for text on tinted rows
    expect(written(built(definition, "truecolor", rgb(colors.base)).color.text)).toEqual(rgb(colors.text));
  },
);

/** The 16 colours as terminals ship them. */
const SHIPPED: Record<string, { background: string; colors: string }> = {
  "xterm, dark": {
    background: "000000",
    colors:
      "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
  },
  "xterm, light": {
    background: "ffffff",
    colors:
      "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
  },
  "Linux console": {
    background: "000000",
    colors:
      "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
  },
  "Windows Terminal": {
    background: "0c0c0c",
    colors:
      "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc 767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
  },
  "Windows console, light": {
    background: "ffffff",
    colors:
      "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc 767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
  },
  "macOS Terminal, light": {
    background: "ffffff",
    colors:
      "000000 990000 00a600 999900 0000b2 b200b2 00a6b2 bfbfbf 666666 e50000 00d900 e5e500 0000ff e500e5 00e5e5 e5e5e5",
  },
};

/** The index of the 16 colours that a paint writes, or null for the terminal's text colour. */
function index16(paint: Paint): number | null {
  const opened = /^\x1b\[(3|9)([0-7])m/.exec(paint("x"));
  return opened ? Number(opened[2]) + (opened[1] === "9" ? 8 : 0) : null;
}

const CLASSIC = BUILT_IN_THEMES.find((theme) => theme.name === "pi-classic")!;

for (const [terminal, { background, colors }] of Object.entries(SHIPPED)) {
  const base = rgb(`#${background}`);
  const palette = colors.split(" ").map((color) => rgb(`#${color}`));
  for (const reported of [false, true])
    test(`in 16 colours every role is readable with the palette of ${terminal}, ${reported ? "reported" : "not reported"} [T07]`, () => {
      const theme = buildTheme(CLASSIC, {
        depth: "16",
        kind: isDark(base) ? "dark" : "light",
        background: base,
        ...(reported && { palette }),
      });
      for (const role of Object.keys(theme.color) as ColorRole[]) {
        const index = index16(theme.color[role]);
        if (index === null || role === "border") continue;
        expect(`${role}: ${contrast(palette[index]!, base) >= 4.5}`).toBe(`${role}: true`);
      }
    });
}

test("in 16 colours success and error differ, on dark and on light", () => {
  for (const background of ["#000000", "#ffffff"]) {
    const theme = built(CLASSIC, "16", rgb(background));
    expect(theme.color.success("x")).not.toBe(theme.color.error("x"));
    expect(theme.color.diffAdded("x")).not.toBe(theme.color.diffRemoved("x"));
  }
});

test("pi-classic writes only the 16 colours, however many the terminal has [A-TUI-04]", () => {
  const theme = built(CLASSIC, "truecolor", rgb("#000000"));
  for (const paint of [...Object.values(theme.color), ...Object.values(theme.background)])
    expect(paint("x")).toMatch(/^(x|\x1b\[(3[0-7]|9[0-7]|7)mx\x1b\[(39|27)m)$/);
});

test("without colours only reverse video is written [T07]", () => {
  const theme = built(coloured[0]!, "none", rgb("#000000"));
  for (const paint of [...Object.values(theme.color), ...Object.values(theme.background), theme.bold])
    expect(paint("text")).toBe("text");
  expect(theme.inverse("text")).toBe("\x1b[7mtext\x1b[27m");
});

test("paints nest: an inner colour gives the outer one back", () => {
  const { color } = built(coloured[0]!, "truecolor", rgb("#1a1b26"));
  const open = color.accent("").length === 0 ? color.accent("x").split("x")[0]! : "";
  expect(color.accent(`a${color.error("b")}c`)).toEndWith(`b\x1b[39m${open}c\x1b[39m`);
});
