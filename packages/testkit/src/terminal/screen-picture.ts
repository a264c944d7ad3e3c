import { boxShape, isBoxCharacter, number, rectangle } from "./box-shapes.ts";
import type { Cell, StyledRun } from "./cell.ts";
import type { ShownScreen } from "./screen.ts";
import { DARK_TERMINAL, shownColors, type TerminalColors } from "./terminal-colors.ts";

export interface PictureOptions {
  /** The terminal's own colours; default: dark. */
  colors?: TerminalColors;
  /** Draws a window around the screen with this title. */
  title?: string;
  /** In pixels; default 14. */
  fontSize?: number;
  /** Draws a block where the cursor is; default false. */
  cursor?: boolean;
}

const FONTS =
  "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', 'Noto Color Emoji', monospace";
const PADDING = 14;
const TITLE_HEIGHT = 32;
const BUTTONS = ["#ff5f57", "#febc2e", "#28c840"];

/**
 * A screen as SVG text: every run is pinned to its columns, so that any font stays on the grid, and lines and blocks are
 * drawn as shapes, so that they join. The same screen gives the same text.
 */
export function screenPicture(shown: ShownScreen, options: PictureOptions = {}): string {
  const { colors = DARK_TERMINAL, title, fontSize = 14, cursor = false } = options;
  const cell = { width: fontSize * 0.6, height: Math.round(fontSize * 1.3) };
  const top = PADDING + (title === undefined ? 0 : TITLE_HEIGHT);
  const width = shown.size.cols * cell.width + 2 * PADDING;
  const height = shown.size.rows * cell.height + top + PADDING;
  const parts: string[] = [];
  if (title !== undefined) parts.push(titleBar(title, width, colors, fontSize));
  const body: { behind: string[]; front: string[] } = { behind: [], front: [] };
  for (const [row, runs] of shown.styles().entries())
    for (const run of runs) {
      const pieces = piecesOf(run, (column) => shown.cell(row, column));
      drawRun(run, pieces, top + row * cell.height, { cell, colors, fontSize }, body);
    }
  if (cursor) {
    const { row, column } = shown.cursor();
    const place = { x: PADDING + column * cell.width, y: top + row * cell.height };
    body.behind.push(rectangle({ ...place, ...cell }, colors.foreground));
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" font-family="${FONTS}" font-size="${fontSize}">`,
    `<rect x="0.5" y="0.5" width="${number(width - 1)}" height="${number(height - 1)}" rx="8" fill="${colors.background}" stroke="${colors.foreground}" stroke-opacity="0.25"/>`,
    ...parts,
    ...body.behind,
    ...body.front,
    "</svg>\n",
  ].join("\n");
}

interface Grid {
  cell: { width: number; height: number };
  colors: TerminalColors;
  fontSize: number;
}

function drawRun(
  run: StyledRun,
  pieces: readonly Piece[],
  y: number,
  grid: Grid,
  body: { behind: string[]; front: string[] },
): void {
  const { cell, colors, fontSize } = grid;
  const { foreground, background } = shownColors(run.style, colors);
  const x = (column: number): number => PADDING + column * cell.width;
  if (background !== colors.background)
    body.behind.push(
      rectangle({ x: x(run.column), y, width: run.width * cell.width, height: cell.height }, background),
    );
  const attributes = [
    `fill="${foreground}"`,
    ...(run.style.bold ? ['font-weight="bold"'] : []),
    ...(run.style.italic ? ['font-style="italic"'] : []),
    ...decoration(run),
  ].join(" ");
  for (const piece of pieces) {
    const place = { x: x(piece.column), y, width: piece.width * cell.width, height: cell.height };
    const shape = piece.width === 1 ? boxShape(piece.text, place, foreground) : null;
    if (shape !== null) body.front.push(shape);
    else
      body.front.push(
        `<text x="${number(place.x)}" y="${number(y + cell.height / 2 + fontSize * 0.35)}" textLength="${number(place.width)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" ${attributes}>${escaped(piece.text)}</text>`,
      );
  }
}

function decoration({ style }: StyledRun): string[] {
  const lines = [...(style.underline ? ["underline"] : []), ...(style.strikethrough ? ["line-through"] : [])];
  return lines.length === 0 ? [] : [`text-decoration="${lines.join(" ")}"`];
}

interface Piece {
  column: number;
  width: number;
  text: string;
}

/** Cuts a run into words of plain text, and wide or joining characters that stand alone; blanks are left out. */
function piecesOf(run: StyledRun, cellAt: (column: number) => Cell): Piece[] {
  const pieces: Piece[] = [];
  let open: Piece | null = null;
  const keepsBlanks = run.style.underline || run.style.strikethrough;
  for (let column = run.column; column < run.column + run.width; column++) {
    const { text, width } = cellAt(column);
    if (width === 0) continue;
    if (text === " " && !keepsBlanks) open = null;
    else if (width !== 1 || isBoxCharacter(text)) {
      pieces.push({ column, width, text });
      open = null;
    } else if (open === null) {
      open = { column, width, text };
      pieces.push(open);
    } else {
      open.text += text;
      open.width += width;
    }
  }
  return pieces;
}

function titleBar(title: string, width: number, colors: TerminalColors, fontSize: number): string {
  const buttons = BUTTONS.map(
    (color, at) =>
      `<circle cx="${PADDING + 8 + at * 20}" cy="${TITLE_HEIGHT / 2 + 4}" r="6" fill="${color}"/>`,
  ).join("");
  return `${buttons}<text x="${number(width / 2)}" y="${TITLE_HEIGHT / 2 + 4 + fontSize * 0.35}" text-anchor="middle" fill="${colors.foreground}" opacity="0.7">${escaped(title)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
