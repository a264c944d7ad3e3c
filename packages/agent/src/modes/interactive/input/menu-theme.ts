import type { SelectListTheme } from "@earendil-works/pi-tui";
import type { ThemeSource } from "../theme/theme.ts";

/** The look of completion menus; follows a change of the theme. */
export function menuTheme(source: ThemeSource): SelectListTheme {
  return {
    selectedPrefix: (text) => source.current.color.accent(text),
    selectedText: (text) => source.current.bold(source.current.color.accent(text)),
    description: (text) => source.current.color.muted(text),
    scrollInfo: (text) => source.current.color.muted(text),
    noMatch: (text) => source.current.color.muted(text),
  };
}
