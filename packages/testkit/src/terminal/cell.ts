import type { IBufferCell, IBufferLine } from "@xterm/headless";

/** `#rrggbb`, an index of the 256 colours, or null: the terminal's own. */
export type CellColor = string | number | null;

export interface CellStyle {
  foreground: CellColor;
  background: CellColor;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  strikethrough: boolean;
  /** Foreground and background are shown exchanged. */
  inverse: boolean;
  invisible: boolean;
}

export interface Cell extends CellStyle {
  /** The grapheme; a blank for an empty cell, nothing in the right half of a wide one. */
  text: string;
  /** In columns; 0 in the right half of a wide cell. */
  width: number;
}

/** Neighbouring cells of one style. */
export interface StyledRun {
  /** From 0. */
  column: number;
  /** In columns. */
  width: number;
  text: string;
  style: CellStyle;
}

/** A cell of a line; throws outside of the line. */
export function cellAt(line: IBufferLine, column: number): Cell {
  const cell = line.getCell(column);
  if (cell === undefined)
    throw new Error(`there is no column ${column}: the line has ${line.length}, counted from 0`);
  const width = cell.getWidth();
  return { text: width === 0 ? "" : cell.getChars() || " ", width, ...styleOf(cell) };
}

/** The runs of a line up to its last cell that shows something (a text, a background, an underline). */
export function runsOf(line: IBufferLine): StyledRun[] {
  const runs: StyledRun[] = [];
  let last = "";
  for (let column = 0; column < line.length; column++) {
    const { text, width, ...style } = cellAt(line, column);
    if (width === 0) continue;
    const key = JSON.stringify(style);
    const run = runs.at(-1);
    if (run !== undefined && key === last) {
      run.text += text;
      run.width += width;
    } else runs.push({ column, width, text, style });
    last = key;
  }
  const end = runs.at(-1);
  if (end !== undefined && !showsBlanks(end.style)) {
    const text = end.text.trimEnd();
    end.width -= end.text.length - text.length;
    end.text = text;
    if (text === "") runs.pop();
  }
  return runs;
}

/** Whether a blank of this style differs from an empty cell. */
export function showsBlanks(style: CellStyle): boolean {
  return style.background !== null || style.inverse || style.underline || style.strikethrough;
}

function styleOf(cell: IBufferCell): CellStyle {
  return {
    foreground: cell.isFgRGB() ? hex(cell.getFgColor()) : cell.isFgPalette() ? cell.getFgColor() : null,
    background: cell.isBgRGB() ? hex(cell.getBgColor()) : cell.isBgPalette() ? cell.getBgColor() : null,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    strikethrough: cell.isStrikethrough() !== 0,
    inverse: cell.isInverse() !== 0,
    invisible: cell.isInvisible() !== 0,
  };
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, "0")}`;
}
