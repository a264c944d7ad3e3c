import type { AuditReport, FileAudit, Finding } from "../../contract/audit.ts";
import type { JsonObject } from "../../contract/json.ts";
import { totalCounts } from "./summary.ts";

/** The report as plain data, complete whatever is shown elsewhere; its keys are part of the outside contract. */
export function jsonReport({ files, problems, skipped }: AuditReport): JsonObject {
  return {
    totals: { files: files.length, ...totalCounts(files) },
    files: files.map(fileData),
    problems: problems.map((note) => ({ ...note })),
    skipped: skipped.map((note) => ({ ...note })),
  };
}

function fileData({ path, kind, size, counts, leftOut, findings, strip }: FileAudit): JsonObject {
  return {
    path,
    kind,
    size,
    counts: { ...counts },
    left_out: leftOut,
    findings: findings.map((finding) => findingData(path, finding)),
    ...(strip && {
      strip: {
        removed: { ...strip.removed },
        backup: strip.backup,
        ...(strip.diff !== undefined && { diff: strip.diff }),
      },
    }),
  };
}

function findingData(file: string, finding: Finding): JsonObject {
  const { line, column, offset, bytes, count, codePoint, name, severity, why, context } = finding;
  return {
    file,
    line,
    column,
    offset,
    bytes,
    count,
    codepoint: codePoint,
    name,
    severity,
    description: why,
    context,
  };
}
