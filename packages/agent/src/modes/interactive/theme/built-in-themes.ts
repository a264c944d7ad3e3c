import { DARK_THEMES } from "./dark-themes.ts";
import { LIGHT_THEMES } from "./light-themes.ts";
import type { ThemeDefinition } from "./theme-definition.ts";

/** The name for "found from the terminal": {@link DEFAULT_DARK} or {@link DEFAULT_LIGHT}. */
export const AUTO = "auto";
export const DEFAULT_DARK = "tokyo-night";
export const DEFAULT_LIGHT = "tokyo-night-day";

const PI_CLASSIC: ThemeDefinition = {
  name: "pi-classic",
  displayName: "Pi Classic (the terminal's 16 colours)",
  themeType: "dark",
  colors: "terminal",
};

/** All themes of the program, in the order of lists. */
export const BUILT_IN_THEMES: readonly ThemeDefinition[] = [...DARK_THEMES, ...LIGHT_THEMES, PI_CLASSIC];
