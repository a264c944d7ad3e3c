import type { CellColor, CellStyle } from "./cell.ts";

/** The colours of a terminal's own theme, `#rrggbb`. */
export interface TerminalColors {
  foreground: string;
  background: string;
  /** The sixteen named colours; default: those of xterm. */
  palette?: readonly string[];
}

export const DARK_TERMINAL: TerminalColors = { foreground: "#d4d4d4", background: "#1e1e1e" };
export const LIGHT_TERMINAL: TerminalColors = { foreground: "#24292f", background: "#ffffff" };

const XTERM_16 = [
  ...["#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5"],
  ...["#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"],
];

/** A colour of the 256 as `#rrggbb`. */
export function paletteColor(index: number, colors: TerminalColors): string {
  if (index < 16) return colors.palette?.[index] ?? XTERM_16[index] ?? "#000000";
  if (index >= 232) return fromChannels([index, index, index].map((step) => 8 + (step - 232) * 10));
  const cube = index - 16;
  const channels = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return fromChannels(channels.map((value) => (value === 0 ? 0 : 55 + value * 40)));
}

/** What a cell really shows: foreground and background as `#rrggbb`, after inversion and dimming. */
export function shownColors(
  style: CellStyle,
  colors: TerminalColors,
): { foreground: string; background: string } {
  const resolve = (color: CellColor, otherwise: string): string =>
    typeof color === "number" ? paletteColor(color, colors) : (color ?? otherwise);
  let foreground = resolve(style.foreground, colors.foreground);
  let background = resolve(style.background, colors.background);
  if (style.inverse) [foreground, background] = [background, foreground];
  if (style.invisible) foreground = background;
  else if (style.dim) foreground = mixed(foreground, background);
  return { foreground, background };
}

/** The contrast of two `#rrggbb` by WCAG 2: 1 (the same) to 21. */
export function contrastRatio(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Half way to the background, as most terminals draw dim text. */
function mixed(foreground: string, background: string): string {
  const other = channelsOf(background);
  return fromChannels(channelsOf(foreground).map((value, index) => Math.round((value + other[index]!) / 2)));
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function fromChannels(channels: readonly number[]): string {
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
