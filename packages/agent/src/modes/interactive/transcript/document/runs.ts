import { visibleWidth } from "@earendil-works/pi-tui";
import type { Paint } from "../../theme/theme.ts";

/** A piece of a line in one style. Without line breaks, tabs and escapes. */
export interface Run {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ASCII = /^[\x20-\x7e]*$/;

export function paintRuns(runs: readonly Run[]): string {
  let row = "";
  for (const { text, paint } of runs) row += paint && text !== "" ? paint(text) : text;
  return row;
}

/**
 * A line in rows of at most `width` cells, broken anywhere between two characters as code wants it: blanks count. At least one
 * row. A character wider than the width has a row of its own.
 */
export function wrapRuns(runs: readonly Run[], width: number): string[] {
  const room = Math.max(1, width);
  const rows: string[] = [];
  let row = "";
  let used = 0;
  const close = () => {
    rows.push(row);
    row = "";
    used = 0;
  };
  for (const { text, paint } of runs) {
    const put = (piece: string) => {
      if (piece !== "") row += paint ? paint(piece) : piece;
    };
    if (ASCII.test(text)) {
      for (let at = 0; at < text.length; ) {
        if (used >= room) close();
        const piece = text.slice(at, at + room - used);
        put(piece);
        used += piece.length;
        at += piece.length;
      }
      continue;
    }
    let piece = "";
    for (const { segment } of segmenter.segment(text)) {
      const cells = visibleWidth(segment);
      if (used > 0 && used + cells > room) {
        put(piece);
        piece = "";
        close();
      }
      piece += segment;
      used += cells;
    }
    put(piece);
  }
  if (row !== "" || rows.length === 0) rows.push(row);
  return rows;
}
