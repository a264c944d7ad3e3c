import type { AuditReport, FileAudit, Finding } from "../../contract/audit.ts";
import { formatCount } from "../../platform/format-count.ts";
import { notListed, stripLine, summaryLine } from "./summary.ts";

/** The report as Markdown tables. `verbose`: also what is information only, the clean files, and what was left out. */
export function markdownReport(report: AuditReport, verbose: boolean): string {
  const { files, problems, skipped } = report;
  const parts = ["# Hidden characters", summaryLine(report)];
  for (const file of files) parts.push(...fileParts(file, verbose));
  if (problems.length > 0)
    parts.push(
      "## Problems",
      table(
        ["file", "why"],
        problems.map(({ path, reason }) => [code(path), escaped(reason)]),
      ),
    );
  if (verbose) {
    parts.push(
      "## Looked at",
      table(
        ["file", "kind"],
        files.map(({ path, kind }) => [code(path), kind]),
      ),
    );
    if (skipped.length > 0)
      parts.push(
        "## Left out",
        table(
          ["file", "why"],
          skipped.map(({ path, reason }) => [code(path), escaped(reason)]),
        ),
      );
  }
  return parts.join("\n\n");
}

function fileParts(file: FileAudit, verbose: boolean): string[] {
  const shown = file.findings.filter(({ severity }) => verbose || severity !== "info");
  const strip = stripLine(file);
  const more = notListed(file, verbose);
  if (shown.length === 0 && strip === null && more === 0) return [];
  const parts = [`## ${code(file.path)}`];
  if (shown.length > 0)
    parts.push(table(["severity", "line", "column", "character", "why", "context"], shown.map(row)));
  if (more > 0) parts.push(`${formatCount(more)} more characters are counted and not listed.`);
  if (strip !== null) parts.push(escaped(strip));
  if (file.strip?.diff !== undefined) parts.push(fenced(file.strip.diff));
  return parts;
}

function row(finding: Finding): string[] {
  const times = finding.count > 1 ? ` ×${finding.count}` : "";
  return [
    finding.severity,
    String(finding.line),
    String(finding.column),
    escaped(`${finding.codePoint} ${finding.name}${times}`),
    escaped(finding.why),
    code(finding.context),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, "\\$&").replaceAll("\n", " ");
}

/** A code span that holds any text, also in a table. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const inner = text.replaceAll("|", "\\|").replaceAll("\n", " ");
  return /^`|`$|^ .* $/.test(inner) ? `${fence} ${inner} ${fence}` : fence + inner + fence;
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${text}\n${fence}`;
}
