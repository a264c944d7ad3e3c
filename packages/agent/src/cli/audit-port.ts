import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { AuditPorts } from "../commands/audit.ts";
import { errorMessage, PiError } from "../contract/errors.ts";
import type { Place } from "./place.ts";

const USAGE = 64;

/** The scanner behind `pi audit`, loaded when it runs. */
export function auditPort(place: Place): AuditPorts["audit"] {
  return {
    async run(request, signal) {
      const { runAudit } = await import("../audit/run-audit.ts");
      return runAudit(request, place, signal);
    },
    async format(report, format, verbose) {
      return (await import("../audit/report/report.ts")).formatReport(report, format, verbose);
    },
    async data(report) {
      return (await import("../audit/report/json.ts")).jsonReport(report);
    },
    async save(path, text, { files }) {
      const { writeFileAtomic } = await import("../platform/atomic-file.ts");
      const target = resolve(place.cwd, path);
      const real = realPathOf(target);
      if (files.some(({ realPath }) => realPath === real))
        throw refusal(`--output ${path} is a file that was looked at; the report would replace it`);
      try {
        writeFileAtomic(target, text);
      } catch (thrown) {
        throw refusal(errorMessage(thrown), thrown);
      }
    },
  };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // a new file
    return path;
  }
}

function refusal(message: string, cause?: unknown): PiError {
  return new PiError({
    code: "usage",
    message,
    hint: "name another file with --output",
    exitCode: USAGE,
    cause,
  });
}
