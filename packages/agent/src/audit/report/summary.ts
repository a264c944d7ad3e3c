import type { AuditReport, FileAudit, Severity, SeverityCounts } from "../../contract/audit.ts";
import { formatCount } from "../../platform/format-count.ts";

const SEVERITIES: readonly Severity[] = ["critical", "warning", "info"];

/** The characters of all files together. */
export function totalCounts(files: readonly FileAudit[]): SeverityCounts {
  const total: SeverityCounts = { critical: 0, warning: 0, info: 0 };
  for (const { counts } of files) for (const severity of SEVERITIES) total[severity] += counts[severity];
  return total;
}

/** "2 critical, 1 warning"; "nothing" when there is none. */
export function countWords(counts: SeverityCounts): string {
  const words = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${formatCount(counts[severity])} ${severity}`,
  );
  return words.length === 0 ? "nothing" : words.join(", ");
}

/** One line: how much was looked at and what was found. */
export function summaryLine({ files, problems, skipped }: AuditReport): string {
  const parts = [`${formatCount(files.length)} ${files.length === 1 ? "file" : "files"} looked at`];
  if (problems.length > 0)
    parts.push(`${formatCount(problems.length)} ${problems.length === 1 ? "problem" : "problems"}`);
  if (skipped.length > 0) parts.push(`${formatCount(skipped.length)} left out on purpose`);
  return `${parts.join(", ")}. Hidden characters: ${countWords(totalCounts(files))}.`;
}

/** How many characters of the shown severities are counted in a file and not listed. */
export function notListed({ counts, findings }: FileAudit, verbose: boolean): number {
  const shown = SEVERITIES.filter((severity) => verbose || severity !== "info");
  const listed = findings.filter(({ severity }) => shown.includes(severity));
  const all = shown.reduce((sum, severity) => sum + counts[severity], 0);
  return all - listed.reduce((sum, { count }) => sum + count, 0);
}

/** What was done to a file, or would be. */
export function stripLine({ strip }: FileAudit): string | null {
  if (strip === undefined) return null;
  const what = `${countWords(strip.removed)} removed`;
  return strip.backup === null
    ? `would be stripped: ${what}`
    : `stripped: ${what}; as it was: ${strip.backup}`;
}
