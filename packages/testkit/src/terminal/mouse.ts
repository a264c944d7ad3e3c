import type { TerminalModes } from "./terminal-modes.ts";

/** Row and column from 0. */
export interface Position {
  row: number;
  column: number;
}

const BUTTONS = { left: 0, middle: 1, right: 2, wheelUp: 64, wheelDown: 65 };
const MOTION = 32;

/**
 * The bytes of a mouse event. Throws when the program did not ask for the mouse, or not in the SGR form: then a real terminal
 * would send nothing, or nothing usable beyond column 223.
 */
export function encodeMouse(
  button: keyof typeof BUTTONS,
  action: "press" | "move" | "release",
  { row, column }: Position,
  modes: TerminalModes,
): string {
  if (modes.mouseTracking === "none" || !modes.mouseSgr)
    throw new Error(
      `the program does not listen to the mouse (tracking: ${modes.mouseTracking}, SGR form: ${modes.mouseSgr})`,
    );
  const code = BUTTONS[button] + (action === "move" ? MOTION : 0);
  return `\x1b[<${code};${column + 1};${row + 1}${action === "release" ? "m" : "M"}`;
}
