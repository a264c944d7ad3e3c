/** A theme as data: what is built in, and what files of people hold. */

/** The roles of a theme file. `base` is the background that the theme was made for; `diffAdded` and `diffRemoved` are backgrounds of rows. */
export const THEME_COLORS = [
  "text",
  "base",
  "primary",
  "tool",
  "success",
  "error",
  "secondary",
  "info",
  "warning",
  "diffAdded",
  "diffRemoved",
  "diffAddedText",
  "diffRemovedText",
] as const;

export type ThemeColorName = (typeof THEME_COLORS)[number];
export type ThemeColors = Readonly<Record<ThemeColorName, string>>;

export interface ThemeDefinition {
  /** What people type: lower case, words joined by `-`. */
  readonly name: string;
  readonly displayName: string;
  readonly themeType: "dark" | "light";
  /** `#rrggbb` each (files may also say `#rgb`, `oklch(…)`, `okhsl(…)`); `terminal`: the 16 colours of the terminal, whatever they are. */
  readonly colors: ThemeColors | "terminal";
}
