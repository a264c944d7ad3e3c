import type { RgbColor } from "@earendil-works/pi-tui";
import type { ColorDepth } from "./color-depth.ts";
import { background as paintBackground, foreground as paintForeground, plain, sgr } from "./paint.ts";
import { type ResolvedPalette, resolvePalette } from "./resolve-palette.ts";
import { terminalPaints } from "./terminal-palette.ts";
import type { BackgroundRole, ColorRole, Paint, Theme } from "./theme.ts";
import type { ThemeDefinition } from "./theme-definition.ts";
import { nearestIndex } from "./xterm-palette.ts";

/** Where a theme is seen. */
export interface Surroundings {
  readonly depth: ColorDepth;
  /** Kind and colour of the background in use, reported or assumed. */
  readonly kind: "dark" | "light";
  readonly background: RgbColor;
  /** The terminal's 16 colours, where it reported them. */
  readonly palette?: readonly RgbColor[];
}

/** A theme as paints, for one terminal. `kind` is that of the background in use, whatever the theme was made for. */
export function buildTheme(definition: ThemeDefinition, surroundings: Surroundings): Theme {
  const { depth, kind } = surroundings;
  const base = { name: definition.name, kind, inverse: sgr("7", "27") };
  if (depth === "none") {
    const unpainted = everyRole(() => plain);
    return { ...base, ...unpainted, bold: plain, italic: plain, underline: plain, strikethrough: plain };
  }
  const styles = {
    bold: sgr("1", "22"),
    italic: sgr("3", "23"),
    underline: sgr("4", "24"),
    strikethrough: sgr("9", "29"),
  };
  if (depth === "16" || definition.colors === "terminal") {
    const reported = surroundings.palette && {
      palette: surroundings.palette,
      background: surroundings.background,
    };
    return { ...base, ...terminalPaints(kind, reported), ...styles };
  }
  if (depth === "256") {
    const resolved = resolvePalette(
      definition.colors,
      surroundings.background,
      (color, accepts) => nearestIndex(color, accepts).color,
    );
    return { ...base, ...paintsOf(resolved, indexed), ...styles };
  }
  const resolved = resolvePalette(definition.colors, surroundings.background, (color) => color);
  return { ...base, ...paintsOf(resolved, direct), ...styles };
}

const direct = (color: RgbColor) => `2;${color.r};${color.g};${color.b}`;
const indexed = (color: RgbColor) => `5;${nearestIndex(color, () => true).index}`;

function paintsOf(palette: ResolvedPalette, parameters: (color: RgbColor) => string) {
  const map = <Role extends string>(
    colors: Readonly<Record<Role, RgbColor>>,
    paint: (color: RgbColor) => Paint,
  ) =>
    Object.fromEntries(
      Object.entries<RgbColor>(colors).map(([role, color]) => [role, paint(color)]),
    ) as Record<Role, Paint>;
  return {
    color: map(palette.color, (color) => paintForeground(`38;${parameters(color)}`)),
    background: map(palette.background, (color) => paintBackground(`48;${parameters(color)}`)),
  };
}

function everyRole(paint: () => Paint) {
  const painted = terminalPaints("dark", undefined);
  const all = <Role extends string>(roles: Readonly<Record<Role, Paint>>) =>
    Object.fromEntries(Object.keys(roles).map((role) => [role, paint()])) as Record<Role, Paint>;
  return { color: all<ColorRole>(painted.color), background: all<BackgroundRole>(painted.background) };
}
