import { safeText } from "../../../shared/safe-text.ts";
import type { Theme } from "../../theme/theme.ts";
import { expandTabs } from "../document/row.ts";
import { type Run, wrapRuns } from "../document/runs.ts";
import type { DiffLine } from "./diff-line.ts";

const MAX_CHARACTERS = 2_000;

/** The lines as rows of at most `width` cells: line number, sign, text; what differs within a line stands out. */
export function diffRows(lines: readonly DiffLine[], width: number, theme: Theme): string[] {
  const largest = lines.reduce((most, line) => Math.max(most, line.oldLine ?? 0, line.newLine ?? 0), 0);
  const digits = largest === 0 || width < 24 ? 0 : String(largest).length;
  return lines.flatMap((line) => lineRows(line, { width, digits, theme }));
}

function lineRows(line: DiffLine, layout: { width: number; digits: number; theme: Theme }): string[] {
  const { width, digits, theme } = layout;
  const { color } = theme;
  if (line.kind === "note") return wrapRuns([{ text: safe(line.text), paint: color.muted }], width);
  const sign = line.kind === "added" ? "+" : line.kind === "removed" ? "-" : " ";
  const paint =
    line.kind === "added" ? color.diffAdded : line.kind === "removed" ? color.diffRemoved : color.diffContext;
  const number = digits === 0 ? "" : `${String(line.newLine ?? line.oldLine ?? "").padStart(digits)} `;
  const prefix = `${color.muted(number)}${paint(`${sign} `)}`;
  const cells = number.length + 2;
  const rows = wrapRuns(textRuns(line, theme, paint), Math.max(1, width - cells));
  return rows.map((row, index) => (index === 0 ? prefix : " ".repeat(cells)) + row);
}

function textRuns(line: DiffLine, theme: Theme, paint: (text: string) => string): Run[] {
  const text = line.text.slice(0, MAX_CHARACTERS);
  const ground = line.kind === "added" ? theme.background.diffAdded : theme.background.diffRemoved;
  const strong = (piece: string) => ground(theme.bold(paint(piece)));
  const runs: Run[] = [];
  let at = 0;
  for (const [start, end] of line.emphasis ?? []) {
    runs.push(
      { text: safe(text.slice(at, start)), paint },
      { text: safe(text.slice(start, end)), paint: strong },
    );
    at = end;
  }
  runs.push({ text: safe(text.slice(at)), paint });
  if (line.text.length > MAX_CHARACTERS)
    runs.push({ text: `… ${line.text.length - MAX_CHARACTERS} more characters`, paint: theme.color.muted });
  return runs;
}

function safe(text: string): string {
  return expandTabs(safeText(text).replaceAll("\n", " "));
}
