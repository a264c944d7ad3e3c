import {
  Markdown,
  type MarkdownTheme,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import type { CommandBlock } from "../../../contract/command.ts";
import { safeLine, safeText } from "../../shared/safe-text.ts";
import type { Theme } from "../theme/theme.ts";
import type { RenderBlocks } from "./dialog-view.ts";

const COLUMN_GAP = 2;
const TAB = "    ";

/** Rows of blocks for a dialog: text wrapped, tables aligned, markdown and diffs in colour; an empty row between blocks. */
export const renderCommandBlocks: RenderBlocks = (blocks, width, theme) => {
  const columns = Math.max(1, width);
  const rows: string[] = [];
  for (const block of blocks) {
    if (rows.length > 0) rows.push("");
    for (const row of renderBlock(block, columns, theme)) rows.push(truncateToWidth(row, columns, ""));
  }
  return rows;
};

/** Text of several lines, made safe and wrapped. */
export function wrapText(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  // a wide character does not fit into one column, however it is wrapped
  return wrapTextWithAnsi(safeText(text).replaceAll("\t", TAB), columns).map((row) =>
    visibleWidth(row) > columns ? truncateToWidth(row, columns, "") : row,
  );
}

function renderBlock(block: CommandBlock, width: number, theme: Theme): readonly string[] {
  switch (block.kind) {
    case "text":
      return wrapText(block.text, width);
    case "table":
      return tableRows(block.head, block.rows, width, theme);
    case "markdown":
      return new Markdown(safeText(block.text), 0, 0, markdownTheme(theme)).render(width);
    case "diff":
      return diffRows(block.text, width, theme);
  }
}

function diffRows(text: string, width: number, theme: Theme): string[] {
  const { color } = theme;
  return safeText(text.replace(/\n$/, ""))
    .split("\n")
    .flatMap((line) => {
      const rows = wrapTextWithAnsi(line.replaceAll("\t", TAB), width);
      if (/^(\+\+\+|---|diff |index )/.test(line)) return rows.map(theme.bold);
      if (line.startsWith("@@")) return rows.map(color.info);
      if (line.startsWith("+")) return rows.map(color.diffAdded);
      if (line.startsWith("-")) return rows.map(color.diffRemoved);
      return rows.map(color.diffContext);
    });
}

/** Columns as wide as their cells; when they are too wide together, the last one that is wide is wrapped. */
function tableRows(
  head: readonly string[],
  body: readonly string[][],
  width: number,
  theme: Theme,
): string[] {
  const cells = [head, ...body].map((row) => row.map((cell) => safeLine(cell)));
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...cells.map((row) => visibleWidth(row[column] ?? ""))),
  );
  const gaps = COLUMN_GAP * Math.max(0, columns - 1);
  const total = () => widths.reduce((sum, cell) => sum + cell, gaps);
  while (total() > width) {
    const widest = widths.lastIndexOf(Math.max(...widths));
    const others = Math.max(0, ...widths.filter((_, column) => column !== widest));
    const goal = Math.max(
      1,
      Math.max(widths[widest]! - (total() - width), Math.min(others, widths[widest]! - 1)),
    );
    if (goal >= widths[widest]!) break;
    widths[widest] = goal;
  }
  return cells.flatMap((row, index) => {
    const wrapped = widths.map((cell, column) => wrapTextWithAnsi(row[column] ?? "", Math.max(1, cell)));
    const height = Math.max(1, ...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) => {
      const text = wrapped
        .map((lines, column) => {
          const cell = lines[line] ?? "";
          const last = column === columns - 1;
          return last ? cell : cell + " ".repeat(Math.max(0, widths[column]! - visibleWidth(cell)));
        })
        .join(" ".repeat(COLUMN_GAP));
      return index === 0 && head.length > 0 ? theme.bold(text) : text;
    });
  });
}

function markdownTheme(theme: Theme): MarkdownTheme {
  const { color } = theme;
  return {
    heading: (text) => theme.bold(color.heading(text)),
    link: color.link,
    linkUrl: color.muted,
    code: color.code,
    codeBlock: color.code,
    codeBlockBorder: color.border,
    quote: color.quote,
    quoteBorder: color.border,
    hr: color.border,
    listBullet: color.accent,
    bold: theme.bold,
    italic: theme.italic,
    strikethrough: theme.strikethrough,
    underline: theme.underline,
  };
}
