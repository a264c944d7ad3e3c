import { colorToOklch, colorToRgb, indexedColor, type RgbColor, rgbColor } from "@earendil-works/pi-tui";

interface Entry {
  readonly index: number;
  readonly color: RgbColor;
  readonly lab: readonly [number, number, number];
}

const entries: Entry[] = [];

/** The cube and the greys. The first 16 are left out: people change them, so their contrast is not known. */
function fixedEntries(): readonly Entry[] {
  if (entries.length > 0) return entries;
  for (let index = 16; index < 256; index++) {
    const color = colorToRgb(indexedColor(index));
    entries.push({ index, color, lab: lab(color) });
  }
  return entries;
}

function lab(color: RgbColor): [number, number, number] {
  const { l, c, h } = colorToOklch(rgbColor(color.r, color.g, color.b));
  const angle = (h * Math.PI) / 180;
  return [l, c * Math.cos(angle), c * Math.sin(angle)];
}

/** The entry of the 256-colour palette (16 to 255) that looks most like `color` among those that `accepts` takes; among all where it takes none. */
export function nearestIndex(
  color: RgbColor,
  accepts: (color: RgbColor) => boolean,
): { index: number; color: RgbColor } {
  const wanted = lab(color);
  let best: Entry | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  let nearest: Entry | undefined;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (const entry of fixedEntries()) {
    const distance = entry.lab.reduce((sum, value, axis) => sum + (value - wanted[axis]!) ** 2, 0);
    if (distance < nearestDistance) {
      nearest = entry;
      nearestDistance = distance;
    }
    if (distance < bestDistance && accepts(entry.color)) {
      best = entry;
      bestDistance = distance;
    }
  }
  const found = best ?? nearest!;
  return { index: found.index, color: found.color };
}
