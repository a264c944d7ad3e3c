import { colorToRgb, parseColor, type RgbColor } from "@earendil-works/pi-tui";
import {
  BLACK,
  backgroundBeside,
  blend,
  contrast,
  isDark,
  readableOn,
  TEXT_CONTRAST,
  textExtreme,
  WHITE,
} from "./contrast.ts";
import type { BackgroundRole, ColorRole } from "./theme.ts";
import type { ThemeColorName, ThemeColors } from "./theme-definition.ts";

/** Turns a wished colour into one that the terminal has: the nearest that `accepts` takes. */
export type Snap = (color: RgbColor, accepts: (color: RgbColor) => boolean) => RgbColor;

export interface ResolvedPalette {
  readonly color: Readonly<Record<ColorRole, RgbColor>>;
  readonly background: Readonly<Record<BackgroundRole, RgbColor>>;
}

/** Which colour of a theme file each role takes; `border` and `muted` are mixed. */
const SOURCES: Readonly<Record<Exclude<ColorRole, "muted" | "border">, ThemeColorName | "muted">> = {
  text: "text",
  accent: "primary",
  secondary: "secondary",
  tool: "tool",
  success: "success",
  error: "error",
  warning: "warning",
  info: "info",
  heading: "primary",
  link: "info",
  code: "tool",
  quote: "muted",
  diffAdded: "diffAddedText",
  diffRemoved: "diffRemovedText",
  diffContext: "muted",
  syntaxKeyword: "secondary",
  syntaxString: "success",
  syntaxNumber: "warning",
  syntaxComment: "muted",
  syntaxFunction: "primary",
  syntaxType: "info",
  syntaxVariable: "text",
};

/**
 * The colours of a theme on the background `base` that is really in use: every text role at {@link TEXT_CONTRAST} or more, `text`
 * on each background role too, and the diff roles on theirs.
 */
export function resolvePalette(colors: ThemeColors, base: RgbColor, snap: Snap): ResolvedPalette {
  const rgb = (name: ThemeColorName) => colorToRgb(parseColor(colors[name]));
  const text = rgb("text");
  const extreme = textExtreme(base);
  const roomy = (color: RgbColor) =>
    contrast(extreme, color) >= Math.min(contrast(extreme, base), TEXT_CONTRAST);
  const beside = (color: RgbColor) => snap(backgroundBeside(color, base), roomy);

  const background: Record<BackgroundRole, RgbColor> = {
    prompt: beside(blend(base, isDark(base) ? WHITE : BLACK, 0.07)),
    selection: beside(blend(base, rgb("primary"), 0.25)),
    match: beside(blend(base, rgb("warning"), 0.35)),
    diffAdded: beside(rgb("diffAdded")),
    diffRemoved: beside(rgb("diffRemoved")),
  };

  const on = (color: RgbColor, ...others: RgbColor[]) => {
    const grounds: [RgbColor, ...RgbColor[]] = [base, ...others];
    return snap(readableOn(color, grounds), (candidate) =>
      grounds.every((ground) => contrast(candidate, ground) >= TEXT_CONTRAST),
    );
  };
  const readableText = on(text, ...Object.values(background));
  const muted = on(blend(readableText, base, 0.38));
  const color: Record<string, RgbColor> = {
    muted,
    border: snap(blend(readableText, base, 0.68), () => true),
  };
  for (const [role, source] of Object.entries(SOURCES) as [keyof typeof SOURCES, ThemeColorName | "muted"][])
    color[role] = source === "muted" ? muted : on(rgb(source));
  color.text = readableText;
  color.diffAdded = on(rgb("diffAddedText"), background.diffAdded);
  color.diffRemoved = on(rgb("diffRemovedText"), background.diffRemoved);
  return { color: color as Record<ColorRole, RgbColor>, background };
}
