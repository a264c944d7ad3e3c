import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { Theme } from "../theme/theme.ts";

/** A choice as it is drawn; texts are safe and on one line. */
export interface ChoiceRow {
  readonly label: string;
  readonly description: string;
}

const POINTER = "› ";
const GAP = 2;
/** Below this width descriptions have no room. */
const DESCRIPTION_FROM = 40;

/** Columns of the labels: as wide as they are, at most three fifths of the row when there are descriptions. */
export function labelWidth(rows: readonly ChoiceRow[], width: number): number {
  const widest = rows.reduce((most, row) => Math.max(most, visibleWidth(row.label)), 0);
  const described = width >= DESCRIPTION_FROM && rows.some((row) => row.description !== "");
  return Math.max(1, Math.min(widest, described ? Math.floor(width * 0.6) : width - POINTER.length));
}

/** One choice in one row, full width when it is the marked one. */
export function choiceRow(
  row: ChoiceRow,
  marked: boolean,
  width: number,
  labels: number,
  theme: Theme,
): string {
  const { color } = theme;
  const pointer = marked ? color.text(POINTER) : " ".repeat(POINTER.length);
  const label = truncateToWidth(row.label, labels, "…");
  const room = width - POINTER.length - labels - GAP;
  const text = marked ? theme.bold(color.text(label)) : color.text(label);
  let line = pointer + text;
  if (row.description !== "" && width >= DESCRIPTION_FROM && room >= 8) {
    const description = truncateToWidth(row.description, room, "…");
    const paint = marked ? color.text : color.muted;
    line += " ".repeat(labels - visibleWidth(label) + GAP) + paint(description);
  }
  line = truncateToWidth(line, width, "");
  if (!marked) return line;
  return theme.background.selection(line + " ".repeat(Math.max(0, width - visibleWidth(line))));
}
