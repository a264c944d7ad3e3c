import { colorToOklch, colorToRgb, oklchColor, type RgbColor, rgbColor } from "@earendil-works/pi-tui";

/** The least contrast of text on its background (WCAG 2, level AA). */
export const TEXT_CONTRAST = 4.5;

/** Kept over the least contrast, so that rounding to whole channels cannot fall below it. */
const MARGIN = 0.05;
/** Halvings of the way from a lightness to its end: fine enough for one step of a channel. */
const STEPS = 10;

export const BLACK: RgbColor = { r: 0, g: 0, b: 0 };
export const WHITE: RgbColor = { r: 255, g: 255, b: 255 };

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function luminance(color: RgbColor): number {
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

/** WCAG 2 contrast ratio of two colours: 1 (the same) to 21 (black on white). */
export function contrast(first: RgbColor, second: RgbColor): number {
  const a = luminance(first);
  const b = luminance(second);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The end of the grey scale that text on `background` has to go towards: white on dark ones, black on light ones. */
export function textExtreme(background: RgbColor): RgbColor {
  return contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK;
}

/** Whether a background is dark: whether white text is read better on it than black text. */
export function isDark(background: RgbColor): boolean {
  return textExtreme(background) === WHITE;
}

/** The least change of lightness, hue kept, from `color` towards `extreme` for which `accepts` holds; `extreme` itself where no other does. */
function nearestAccepted(
  color: RgbColor,
  extreme: RgbColor,
  accepts: (color: RgbColor) => boolean,
): RgbColor {
  if (accepts(color)) return color;
  const { l, c, h } = colorToOklch(rgbColor(color.r, color.g, color.b));
  const end = extreme === WHITE ? 1 : 0;
  let found = extreme;
  let low = 0;
  let high = 1;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    const { r, g, b } = colorToRgb(oklchColor(l + (end - l) * middle, c, h));
    const candidate = { r: Math.round(r), g: Math.round(g), b: Math.round(b) };
    if (accepts(candidate)) {
      high = middle;
      found = candidate;
    } else low = middle;
  }
  return found;
}

/** `color` with its hue, its lightness moved only as far as text on all of `backgrounds` needs. The first background says which way. */
export function readableOn(color: RgbColor, backgrounds: readonly [RgbColor, ...RgbColor[]]): RgbColor {
  const accepts = (candidate: RgbColor) =>
    backgrounds.every((background) => contrast(candidate, background) >= TEXT_CONTRAST + MARGIN);
  return nearestAccepted(color, textExtreme(backgrounds[0]), accepts);
}

/** `color` as a background beside `base`: moved away from the text's lightness until text has nearly the room there that it has on `base`. */
export function backgroundBeside(color: RgbColor, base: RgbColor): RgbColor {
  const text = textExtreme(base);
  const room = contrast(text, base);
  const needed = Math.max(Math.min(room, TEXT_CONTRAST + 2 * MARGIN), room ** 0.85);
  const away = text === WHITE ? BLACK : WHITE;
  return nearestAccepted(color, away, (candidate) => contrast(text, candidate) >= needed);
}

/** A blend in sRGB; `amount` 0 is `first`, 1 is `second`. */
export function blend(first: RgbColor, second: RgbColor, amount: number): RgbColor {
  const channel = (a: number, b: number) => Math.round(a + (b - a) * amount);
  return {
    r: channel(first.r, second.r),
    g: channel(first.g, second.g),
    b: channel(first.b, second.b),
  };
}
