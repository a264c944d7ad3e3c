import type { AuditReport, FileAudit, Finding } from "../../contract/audit.ts";
import { formatCount } from "../../platform/format-count.ts";
import { notListed, stripLine, summaryLine } from "./summary.ts";

/** The report as a table for a terminal. `verbose`: also what is information only, the clean files, and what was left out. */
export function textReport(report: AuditReport, verbose: boolean): string {
  const { files, problems, skipped } = report;
  const parts: string[] = [];
  const rows = files.flatMap((file) =>
    file.findings
      .filter(({ severity }) => verbose || severity !== "info")
      .map((finding) => ({ file, finding })),
  );
  if (rows.length > 0) parts.push(table(rows).join("\n"));
  const notes = files.flatMap((file) => fileNotes(file, verbose));
  if (notes.length > 0) parts.push(notes.join("\n"));
  if (problems.length > 0)
    parts.push(["Problems:", ...problems.map(({ path, reason }) => `  ${path}: ${reason}`)].join("\n"));
  if (verbose) {
    parts.push(["Looked at:", ...files.map(({ path, kind }) => `  ${path} (${kind})`)].join("\n"));
    if (skipped.length > 0)
      parts.push(["Left out:", ...skipped.map(({ path, reason }) => `  ${path}: ${reason}`)].join("\n"));
  }
  const hidden = files.some(({ findings }) => findings.some(({ severity }) => severity === "info"));
  parts.push(summaryLine(report) + (hidden && !verbose ? " -v lists what is information only." : ""));
  return parts.join("\n\n");
}

function table(rows: readonly { file: FileAudit; finding: Finding }[]): string[] {
  const cells = rows.map(({ file, finding }) => [
    finding.severity,
    `${file.path}:${finding.line}:${finding.column}`,
    `${finding.codePoint}${finding.count > 1 ? ` x${finding.count}` : ""}`,
    finding.name,
  ]);
  const head = ["SEVERITY", "PLACE", "CHARACTER", "NAME"];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => Bun.stringWidth(row[column]!))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat(widths[column]! - Bun.stringWidth(cell)))
      .join("  ")
      .trimEnd();
  return [
    line(head),
    ...rows.flatMap(({ finding }, index) => [
      line(cells[index]!),
      `  ${finding.context}`,
      `  ${finding.why}`,
    ]),
  ];
}

function fileNotes(file: FileAudit, verbose: boolean): string[] {
  const notes: string[] = [];
  const more = notListed(file, verbose);
  if (more > 0) notes.push(`${file.path}: ${formatCount(more)} more characters are counted and not listed`);
  const strip = stripLine(file);
  if (strip !== null) notes.push(`${file.path} ${strip}`);
  if (file.strip?.diff !== undefined) notes.push(file.strip.diff);
  return notes;
}
