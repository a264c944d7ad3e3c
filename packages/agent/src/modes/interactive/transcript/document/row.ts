import {
  sliceByColumn,
  stripTerminalSequences,
  visibleWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";

/** A background, reverse video or an underline: blanks under it are seen. */
const SEEN_BLANKS = /\x1b\[[\d;]*(?<![\d])(?:4|7|4[0-8]|10[0-7])(?:[;m])/;
const TRAILING_BLANKS = /[ \t]+((?:\x1b\[[\d;]*m)*)$/;
const SGR_END = /(?:\x1b\[(?:0|22|23|24|27|29|39|49)?m)*$/;

/** Whether a row carries a picture: its sequence must not be cut. */
export function isImageRow(row: string): boolean {
  return row.includes("\x1b_G") || row.includes("\x1b]1337;File=");
}

/** The row in at most `width` cells, without the trailing blanks nobody sees. */
export function fitRow(row: string, width: number): string {
  if (isImageRow(row)) return row;
  const fitting = visibleWidth(row) <= width ? row : cutRow(row, width);
  if (SEEN_BLANKS.test(fitting)) return fitting;
  return fitting.replace(TRAILING_BLANKS, "$1");
}

/** The first `width` cells of a row; styles it opened are closed. */
function cutRow(row: string, width: number): string {
  const cut = sliceByColumn(row, 0, width, true);
  // A cluster whose width grows by what follows it may measure more alone than within its row.
  if (visibleWidth(cut) > width) return "";
  return row.includes("\x1b") && !SGR_END.exec(cut)?.[0] ? `${cut}\x1b[0m` : cut;
}

/** The text in at most `width` cells, with an ellipsis where something was cut. Text without styles. */
export function clip(text: string, width: number): string {
  if (visibleWidth(text) <= width) return text;
  return width < 1 ? "" : `${sliceByColumn(text, 0, width - 1, true)}…`;
}

/** Plain lines in rows of at most `width` cells, broken at words. Styles go over the break. */
export function wrap(text: string, width: number): string[] {
  return wrapTextWithAnsi(text, Math.max(1, width));
}

const TAB = 4;

/** Tabs as blanks up to the next stop (every 4 cells). */
export function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let out = "";
  let column = 0;
  for (const [index, piece] of line.split("\t").entries()) {
    if (index > 0) {
      const blanks = TAB - (column % TAB);
      out += " ".repeat(blanks);
      column += blanks;
    }
    out += piece;
    column += visibleWidth(piece);
  }
  return out;
}

/** Cells left of a block's text: marks stand there. None on screens too narrow for it. */
export function gutter(width: number): number {
  return width >= 20 ? 2 : 0;
}

/** Rows with blanks before each that is not empty. */
export function indent(rows: readonly string[], cells: number): string[] {
  if (cells === 0) return [...rows];
  const blanks = " ".repeat(cells);
  return rows.map((row) => (row === "" ? "" : blanks + row));
}

/** What is read of a row: without its styles. */
export function plainRow(row: string): string {
  return stripTerminalSequences(row);
}
