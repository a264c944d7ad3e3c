import { visibleWidth } from "@earendil-works/pi-tui";
import { safeLine } from "../../../shared/safe-text.ts";
import type { Theme } from "../../theme/theme.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { clip, gutter, indent, wrap } from "../document/row.ts";

const GAP = 2;
const MIN_COLUMN = 6;
/** Wider cells are cut: a cell is a word or a sentence. */
const MAX_CELL = 1_000;

/** A table's cells and the widths of its columns, shared by the blocks that show its rows. */
export class Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly #natural: number[];

  constructor(head: readonly string[], rows: readonly (readonly string[])[]) {
    this.head = head.map(cell);
    this.rows = rows.map((row) => row.map(cell));
    const columns = rows.reduce((most, row) => Math.max(most, row.length), head.length);
    this.#natural = Array.from({ length: columns }, (_, column) =>
      this.rows.reduce(
        (most, row) => Math.max(most, visibleWidth(row[column] ?? "")),
        visibleWidth(this.head[column] ?? ""),
      ),
    );
  }

  /** Widths of the columns on `width` cells: as wide as they want, the widest ones narrowed first. */
  columns(width: number): number[] {
    const widths = [...this.#natural];
    let over = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
    while (over > 0) {
      const widest = Math.max(...widths);
      if (widest <= MIN_COLUMN) break;
      const at = widths.indexOf(widest);
      const second = Math.max(MIN_COLUMN, ...widths.filter((each) => each < widest));
      const cut = Math.max(1, Math.min(over, widest - second));
      widths[at] = widest - cut;
      over -= cut;
    }
    return widths;
  }
}

/** Some rows of a table; the first part has the head. */
export class TableBlock extends Block {
  override readonly glued: boolean;
  readonly #table: Table;
  readonly #from: number;
  readonly #to: number;

  constructor(table: Table, from: number, to: number) {
    super();
    this.glued = from > 0;
    this.#table = table;
    this.#from = from;
    this.#to = to;
  }

  override source(): string {
    const rows = this.#table.rows.slice(this.#from, this.#to);
    return [this.#table.head, ...rows].map((row) => row.join(" ")).join("\n");
  }

  protected override draw({ width, theme }: DrawContext): string[] {
    const cells = gutter(width);
    const columns = this.#table.columns(Math.max(1, width - cells));
    const rows =
      this.#from > 0 || this.#table.head.length === 0 ? [] : headRows(this.#table.head, columns, theme);
    for (const row of this.#table.rows.slice(this.#from, this.#to))
      rows.push(...rowLines(row, columns, theme.color.text));
    return indent(rows, cells);
  }

  protected override extent(): Extent {
    return { lines: this.#to - this.#from + (this.#from === 0 ? 1 : 0), characters: 0 };
  }
}

function headRows(head: readonly string[], columns: readonly number[], theme: Theme): string[] {
  return rowLines(head, columns, (text) => theme.bold(theme.color.muted(text)));
}

/** One row of cells, over as many lines as its highest cell takes. */
function rowLines(
  cells: readonly string[],
  columns: readonly number[],
  paint: (text: string) => string,
): string[] {
  const wrapped = columns.map((width, column) => {
    const text = cells[column] ?? "";
    return visibleWidth(text) <= width ? [text] : wrap(text, width).map((line) => clip(line, width));
  });
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 1);
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((width, column) => {
        const text = wrapped[column]![line] ?? "";
        const padding = column === columns.length - 1 ? 0 : Math.max(0, width - visibleWidth(text)) + GAP;
        return `${text === "" ? "" : paint(text)}${" ".repeat(padding)}`;
      })
      .join(""),
  );
}

function cell(text: string): string {
  return safeLine(text.slice(0, MAX_CELL));
}
