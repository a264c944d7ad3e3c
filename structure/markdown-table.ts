/** A Markdown table whose columns are padded to their widest cell. A `|` in a cell is escaped; characters count as one column each. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [titles, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = titles.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...body] = cells;
  return [line(head!), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}
