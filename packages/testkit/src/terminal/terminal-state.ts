import type { LineSettings } from "./line-settings.ts";
import type { TerminalModes } from "./terminal-modes.ts";

/** Everything of a terminal that outlives a program which changed it. */
export type TerminalState = TerminalModes & LineSettings;

/** The terminal as it is before a program runs. */
const FRESH: TerminalState = {
  alternateScreen: false,
  cursorHidden: false,
  noAutoWrap: false,
  bracketedPaste: false,
  mouseTracking: "none",
  mouseSgr: false,
  focusReporting: false,
  synchronizedOutput: false,
  colorSchemeReports: false,
  applicationCursorKeys: false,
  applicationKeypad: false,
  modifyOtherKeys: 0,
  kittyKeyboard: 0,
  kittyPushes: 0,
  echo: true,
  canonical: true,
  signals: true,
  enterAsNewline: true,
  outputProcessing: true,
};

/** What differs from a terminal on which nothing ran yet, with its value. */
export function changedState(state: TerminalState): Partial<TerminalState> {
  const fresh: Record<string, unknown> = { ...FRESH };
  return Object.fromEntries(Object.entries(state).filter(([name, value]) => value !== fresh[name]));
}
