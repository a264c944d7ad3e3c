import type { TUI } from "@earendil-works/pi-tui";

/** Pi-tui's editor takes 30 % of the rows of its screen, and at least 5. */
const SHARE = 0.3;

/** The screen as the editor is to see it: with so many rows that its share is a third of the real ones. */
export function thirdOfScreen(tui: TUI): TUI {
  const terminal = {
    get rows(): number {
      return Math.ceil((Math.floor(tui.terminal.rows / 3) + 0.1) / SHARE);
    },
  };
  // The editor uses nothing else of it.
  return { terminal, requestRender: (force?: boolean) => tui.requestRender(force) } as unknown as TUI;
}
