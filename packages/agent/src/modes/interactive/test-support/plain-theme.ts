import type { BackgroundRole, ColorRole, Paint, Theme, ThemeSource } from "../theme/theme.ts";

const colors: readonly ColorRole[] = [
  "text",
  "muted",
  "border",
  "accent",
  "secondary",
  "tool",
  "success",
  "error",
  "warning",
  "info",
  "heading",
  "link",
  "code",
  "quote",
  "diffAdded",
  "diffRemoved",
  "diffContext",
  "syntaxKeyword",
  "syntaxString",
  "syntaxNumber",
  "syntaxComment",
  "syntaxFunction",
  "syntaxType",
  "syntaxVariable",
];
const backgrounds: readonly BackgroundRole[] = ["prompt", "selection", "match", "diffAdded", "diffRemoved"];

const same: Paint = (text) => text;
const sgr =
  (open: string, close: string): Paint =>
  (text) =>
    `\x1b[${open}m${text}\x1b[${close}m`;

/** A theme for tests: each role has a colour number of its own; `light` ones are others than `dark` ones. */
export function testTheme(kind: "dark" | "light" | "colourless"): Theme {
  const offset = kind === "light" ? 100 : 20;
  const plain = kind === "colourless";
  const color = Object.fromEntries(
    colors.map((role, index) => [
      role,
      plain || role === "text" ? same : sgr(`38;5;${offset + index}`, "39"),
    ]),
  ) as Record<ColorRole, Paint>;
  const background = Object.fromEntries(
    backgrounds.map((role, index) => [role, plain ? same : sgr(`48;5;${offset + 50 + index}`, "49")]),
  ) as Record<BackgroundRole, Paint>;
  const style = (open: string, close: string) => (plain ? same : sgr(open, close));
  return {
    name: `test-${kind}`,
    kind: kind === "light" ? "light" : "dark",
    color,
    background,
    bold: style("1", "22"),
    italic: style("3", "23"),
    underline: style("4", "24"),
    strikethrough: style("9", "29"),
    inverse: sgr("7", "27"),
  };
}

/** A source of one theme that can be changed. */
export function testThemes(kind: "dark" | "light" | "colourless" = "dark"): ThemeSource & { current: Theme } {
  return { current: testTheme(kind) };
}
