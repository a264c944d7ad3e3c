import type { AuditFormat, AuditReport } from "../../contract/audit.ts";
import { jsonReport } from "./json.ts";
import { markdownReport } from "./markdown.ts";
import { textReport } from "./text.ts";

/** The report in a format, without a line feed at its end. */
export function formatReport(report: AuditReport, format: AuditFormat, verbose: boolean): string {
  switch (format) {
    case "json":
      return JSON.stringify(jsonReport(report), null, 2);
    case "markdown":
      return markdownReport(report, verbose);
    case "text":
      return textReport(report, verbose);
  }
}
