import { formatCount } from "../../../../platform/format-count.ts";
import { safeText } from "../../../shared/safe-text.ts";
import type { Paint, Theme } from "../../theme/theme.ts";
import { expandTabs } from "../document/row.ts";
import { wrapRuns } from "../document/runs.ts";
import { countLines, headLines, tailLines } from "./text-lines.ts";

/** Longer lines are cut, with a note. */
const MAX_CHARACTERS = 2_000;

/** How much of a text is shown: lines of its beginning and of its end. */
interface Shown {
  head: number;
  tail: number;
}

/** Rows of a text from outside, safe, broken to the width; what is left out is told between head and tail. */
export function outputRows(
  text: string,
  shown: Shown,
  style: { width: number; theme: Theme; paint: Paint },
): string[] {
  const { width, theme, paint } = style;
  const row = (line: string): string[] => {
    const cut = line.length - MAX_CHARACTERS;
    const kept = cut > 0 ? line.slice(0, MAX_CHARACTERS) : line;
    const runs = [{ text: expandTabs(safeText(kept.replace(/\r$/, ""))), paint }];
    const note = cut > 0 ? [{ text: `… ${formatCount(cut)} more characters`, paint: theme.color.muted }] : [];
    return wrapRuns([...runs, ...note], width);
  };
  const total = countLines(text);
  const hidden = total - shown.head - shown.tail;
  if (hidden <= 0) return headLines(text, total).flatMap(row);
  const note = `… ${formatCount(hidden)} ${hidden === 1 ? "line" : "lines"} not shown`;
  return [
    ...headLines(text, shown.head).flatMap(row),
    ...wrapRuns([{ text: note, paint: theme.color.muted }], width),
    ...tailLines(text, shown.tail).flatMap(row),
  ];
}
