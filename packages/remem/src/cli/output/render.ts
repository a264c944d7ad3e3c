import type { CliOutput } from "../cli-world.ts";
import type { Block, Table } from "./block.ts";
import { safeLine, safeText } from "./safe-text.ts";
import { cutToWidth, textWidth } from "./text-width.ts";

const GAP = "  ";
/** A last column that would be narrower than this is no column. */
const LEAST_COLUMN = 16;
const BOLD = "\u001b[1m";
const PLAIN = "\u001b[22m";

/** Blocks as text for people, safe for a terminal and no wider than it. */
export function render(blocks: readonly Block[], output: Pick<CliOutput, "columns" | "styled">): string {
  return blocks
    .map((block) => (typeof block === "string" ? `${safeText(block)}\n` : renderTable(block, output)))
    .join("");
}

function renderTable({ head, rows }: Table, output: Pick<CliOutput, "columns" | "styled">): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => row.map(safeLine));
  const widths: number[] = [];
  for (const row of head.length > 0 ? [head, ...cells] : cells)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = output.columns === 0 ? Number.POSITIVE_INFINITY : output.columns - before;
  if (room < Math.min(LEAST_COLUMN, widths.at(-1)!)) return renderStacked(head, cells);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === row.length - 1
          ? cutToWidth(cell, room)
          : cell + " ".repeat(widths[column]! - textWidth(cell)),
      )
      .join(GAP)
      .trimEnd();
  const title = head.length === 0 ? [] : [output.styled ? `${BOLD}${line(head)}${PLAIN}` : line(head)];
  return [...title, ...cells.map(line)].map((text) => `${text}\n`).join("");
}

/** For a narrow terminal: each cell on a line of its own. The terminal wraps long ones; nothing is cut. */
function renderStacked(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) =>
      row
        .map((cell, column) => (head[column] === undefined ? cell : `${head[column]}: ${cell}`))
        .filter((text) => text !== "")
        .map((text) => `${text}\n`)
        .join(""),
    )
    .join("\n");
}
