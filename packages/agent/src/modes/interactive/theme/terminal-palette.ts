import type { RgbColor } from "@earendil-works/pi-tui";
import { contrast, TEXT_CONTRAST } from "./contrast.ts";
import { foreground, plain, sgr } from "./paint.ts";
import type { BackgroundRole, ColorRole, Paint } from "./theme.ts";

/**
 * Indices of the 16 colours, best first; the last one is safe with the palettes that terminals ship with, and is taken where the
 * terminal does not tell its palette. No index: the terminal's own text colour.
 */
const CHOICES: Readonly<Record<ColorRole, Readonly<Record<"dark" | "light", readonly number[]>>>> = {
  text: { dark: [], light: [] },
  muted: { dark: [8, 7], light: [8] },
  border: { dark: [8, 7], light: [8] },
  accent: { dark: [12, 14], light: [4] },
  secondary: { dark: [13, 14], light: [5] },
  tool: { dark: [14], light: [6, 4] },
  success: { dark: [10], light: [2, 4] },
  error: { dark: [9], light: [1] },
  warning: { dark: [11], light: [3, 5] },
  info: { dark: [12, 14], light: [6, 4] },
  heading: { dark: [12, 14], light: [4] },
  link: { dark: [12, 14], light: [4] },
  code: { dark: [14], light: [6, 4] },
  quote: { dark: [8, 7], light: [8] },
  diffAdded: { dark: [10], light: [2, 4] },
  diffRemoved: { dark: [9], light: [1] },
  diffContext: { dark: [8, 7], light: [8] },
  syntaxKeyword: { dark: [13, 14], light: [5] },
  syntaxString: { dark: [10], light: [2, 4] },
  syntaxNumber: { dark: [11], light: [3, 5] },
  syntaxComment: { dark: [8, 7], light: [8] },
  syntaxFunction: { dark: [12, 14], light: [4] },
  syntaxType: { dark: [14], light: [6, 4] },
  syntaxVariable: { dark: [], light: [] },
};

/** Roles that take the text colour where nothing is known: grey (8) is close to the background in many palettes. */
const UNSAFE_GREY = 8;

/**
 * The index of the terminal's own palette for a role, or null for its text colour. With the palette and the background reported,
 * the first choice that is readable; else the safe one.
 */
function terminalColorIndex(
  role: ColorRole,
  kind: "dark" | "light",
  reported: { palette: readonly RgbColor[]; background: RgbColor } | undefined,
): number | null {
  const choices = CHOICES[role][kind];
  if (!reported) {
    const safe = choices.at(-1);
    return safe === undefined || safe === UNSAFE_GREY ? null : safe;
  }
  const found = choices.find((index) => {
    const color = reported.palette[index];
    return color !== undefined && contrast(color, reported.background) >= TEXT_CONTRAST;
  });
  return found ?? null;
}

/** SGR parameters of a foreground of the 16 colours. */
function parameters(index: number): string {
  return String(index < 8 ? 30 + index : 90 + index - 8);
}

/** Paints with the terminal's own 16 colours. Rows are not tinted: the 16 colours have no pale tones. */
export function terminalPaints(
  kind: "dark" | "light",
  reported: { palette: readonly RgbColor[]; background: RgbColor } | undefined,
): { color: Record<ColorRole, Paint>; background: Record<BackgroundRole, Paint> } {
  const color = {} as Record<ColorRole, Paint>;
  for (const role of Object.keys(CHOICES) as ColorRole[]) {
    const index = terminalColorIndex(role, kind, reported);
    color[role] = index === null ? plain : foreground(parameters(index));
  }
  const inverse = sgr("7", "27");
  return {
    color,
    background: { prompt: plain, selection: inverse, match: inverse, diffAdded: plain, diffRemoved: plain },
  };
}
