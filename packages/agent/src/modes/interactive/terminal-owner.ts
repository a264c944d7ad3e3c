import type { TuiAltScreen } from "@earendil-works/pi-tui";
import type { WindowFocus } from "./notify/window-focus.ts";
import type { WindowStatus } from "./notify/window-status.ts";

export interface TerminalParts {
  tui: TuiAltScreen;
  window: WindowStatus;
  focus: WindowFocus;
}

/** Who has the terminal: the surface, or for a while somebody else (an editor, the shell after Ctrl+Z). */
export class TerminalOwner {
  readonly #parts: TerminalParts;

  constructor(parts: TerminalParts) {
    this.#parts = parts;
  }

  take(): void {
    const { tui, window, focus } = this.#parts;
    tui.start();
    window.start();
    focus.enable();
  }

  /** Every mode is as the shell left it; nothing of the conversation is printed. */
  give(): void {
    const { tui, window, focus } = this.#parts;
    focus.disable();
    window.stop();
    tui.stop({ preserveScreen: true });
  }

  /** Gives the terminal away while `work` runs, and takes it back in any case. */
  async away<T>(work: () => Promise<T>): Promise<T> {
    this.give();
    try {
      return await work();
    } finally {
      this.take();
      this.#parts.tui.requestRender(true);
    }
  }
}
