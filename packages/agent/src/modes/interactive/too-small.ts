import { type Component, truncateToWidth } from "@earendil-works/pi-tui";

const LEAST_COLUMNS = 20;
const LEAST_ROWS = 5;

/** Whether nothing sensible can be drawn on so few cells. */
export function isTooSmall(columns: number, rows: number): boolean {
  return columns < LEAST_COLUMNS || rows < LEAST_ROWS;
}

/** What a window that is too small shows: one line. The program goes on behind it. */
export class TooSmall implements Component {
  // nothing is kept between frames
  invalidate(): void {
    return;
  }

  render(width: number): readonly string[] {
    return [truncateToWidth(`too small: ${LEAST_COLUMNS}x${LEAST_ROWS} at least`, width, "")];
  }
}
