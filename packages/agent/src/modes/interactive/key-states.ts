/** What Esc, Ctrl+C and Ctrl+D mean in each state. Esc closes or interrupts and never quits; Ctrl+C clears, interrupts, and quits only when pressed twice with nothing to clear or to stop. */

/** The state that the meaning of these keys depends on. */
export interface KeyState {
  /** A completion menu is open over the editor. (That vi's insert mode is left first is the editor's own business.) */
  menu: boolean;
  /** The editor holds text or images. */
  draft: boolean;
  /** An answer or a command is running. */
  busy: boolean;
  /** Text of the transcript is selected. */
  selection: boolean;
  /** When Ctrl+C was last pressed with nothing to do, in milliseconds; absent: not. */
  armedAt?: number;
}

export type KeyEffect =
  /** The editor handles the key itself (it closes its menu). */
  "editor" | "clear" | "interrupt" | "copy" | "arm" | "quit" | "nothing";

/** Two presses of Ctrl+C within this time quit, in milliseconds. */
export const QUIT_WINDOW_MS = 2_000;

export function onEscape(state: KeyState): KeyEffect {
  if (state.menu) return "editor";
  return state.busy ? "interrupt" : "nothing";
}

export function onControlC(state: KeyState, now: number): KeyEffect {
  if (state.selection) return "copy";
  if (state.draft) return "clear";
  if (state.busy) return "interrupt";
  return state.armedAt !== undefined && now - state.armedAt <= QUIT_WINDOW_MS ? "quit" : "arm";
}

/** Ctrl+D ends the program only where a shell would: on an empty line, with nothing running. */
export function onControlD(state: KeyState): KeyEffect {
  if (state.draft || state.menu) return "editor";
  return state.busy ? "nothing" : "quit";
}
