import { getKeybindings, type Keybinding } from "@earendil-works/pi-tui";
import { piTheme } from "./module-host.ts";

/** Keys of actions of the program's own, by Pi's names for them. */
const OWN_KEYS: Readonly<Record<string, string>> = {
  "app.interrupt": "esc",
  "app.clear": "ctrl+c",
  "app.exit": "ctrl+d",
  "app.tools.expand": "ctrl+o",
  expandTools: "ctrl+o",
  "app.thinking.toggle": "ctrl+t",
  "app.editor.external": "ctrl+g",
};

/** The key of an action as people read it; the action's name when it has none. */
export function keyText(action: string): string {
  const own = OWN_KEYS[action];
  if (own !== undefined) return own;
  const keys = getKeybindings().getKeys(action as Keybinding);
  return keys.length === 0 ? action : keys.join("/");
}

/** `esc cancel`, coloured. */
export function keyHint(action: string, description: string): string {
  return rawKeyHint(keyText(action), description);
}

export function rawKeyHint(key: string, description: string): string {
  const theme = piTheme();
  return `${theme.fg("dim", key)}${theme.fg("muted", ` ${description}`)}`;
}
