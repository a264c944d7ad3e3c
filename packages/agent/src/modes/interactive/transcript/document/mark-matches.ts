import { sliceByColumn, visibleWidth } from "@earendil-works/pi-tui";
import type { Paint } from "../../theme/theme.ts";
import { isImageRow, plainRow } from "./row.ts";

/** The row with each place that holds `query` (lower case) painted. Styles of the marked text itself are dropped. */
export function markMatches(row: string, query: string, paint: Paint): string {
  if (query === "" || isImageRow(row)) return row;
  const plain = plainRow(row);
  const lower = plain.toLowerCase();
  let at = lower.indexOf(query);
  // Lower case of a few letters is longer than they are: positions would not fit.
  if (at === -1 || lower.length !== plain.length) return row;
  const width = visibleWidth(row);
  let out = "";
  let column = 0;
  for (; at !== -1; at = lower.indexOf(query, at + query.length)) {
    const start = visibleWidth(plain.slice(0, at));
    const text = plain.slice(at, at + query.length);
    out += `${sliceByColumn(row, column, start - column, true)}\x1b[0m${paint(text)}`;
    column = start + visibleWidth(text);
  }
  return out + sliceByColumn(row, column, width - column, true);
}
