import { CURSOR_MARKER, visibleWidth } from "@earendil-works/pi-tui";
import { safeText } from "../../shared/safe-text.ts";
import { fitRow, isImageRow } from "../transcript/document/row.ts";

const PLAIN = /^[\x20-\x7e]*$/;
/** What a component may write: styles, links, the marks of the cursor, pictures. */
const OWN_SEQUENCES =
  /(\x1b\[[\d;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b_pi:(?:c|fc|\/fc)\x07|\x1b_G[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\]1337;File=[^\x07\x1b]*(?:\x07|\x1b\\))/;
const TAB = "   ";

/** Rows as they may go to the screen. */
export interface DrawnRows {
  readonly rows: string[];
  /** The width of the widest row, when it was more than there is. */
  readonly tooWide?: number;
  /** Rows above the first one that is shown. */
  readonly skipped: number;
}

/**
 * At most `most` rows of at most `width` cells of what a component drew: the first ones, or those around the cursor. Anything but
 * styles, links and pictures is shown and not obeyed. The cost is bound to the rows that are kept.
 */
export function drawnRows(
  drawn: readonly unknown[],
  width: number,
  most: number,
  note: (hidden: number) => string,
): DrawnRows {
  const limit = Math.max(1, most);
  const cut = drawn.length > limit;
  const skipped = cut ? firstShown(drawn, limit) : 0;
  const rows: string[] = [];
  let widest = 0;
  for (const each of cut ? drawn.slice(skipped, skipped + limit) : drawn)
    for (const row of String(each).split("\n")) {
      const safe = ownSequencesOnly(row);
      if (!isImageRow(safe)) widest = Math.max(widest, visibleWidth(safe));
      rows.push(fitRow(safe, width));
    }
  if (rows.length > limit) rows.length = limit;
  if (cut && limit > 1) rows[limit - 1] = fitRow(note(drawn.length - limit + 1), width);
  return { rows, skipped, ...(widest > width && { tooWide: widest }) };
}

/** A row without control characters and sequences that are not a component's business: they are shown as `\x1b`. */
export function ownSequencesOnly(row: string): string {
  if (PLAIN.test(row)) return row;
  const spaced = row.includes("\t") ? row.replaceAll("\t", TAB) : row;
  return spaced
    .split(OWN_SEQUENCES)
    .map((part, index) => (index % 2 === 1 ? part : safeText(part)))
    .join("");
}

/** The cursor's row stays in sight, one above the note. */
function firstShown(drawn: readonly unknown[], limit: number): number {
  const cursor = drawn.findIndex((row) => typeof row === "string" && row.includes(CURSOR_MARKER));
  return Math.max(0, Math.min(cursor - limit + 2, drawn.length - limit));
}
