import type { AuditFormat, AuditReport, AuditRequest, FileAudit } from "../contract/audit.ts";
import type { CommandDefinition, CommandResult, ParsedArguments } from "../contract/command.ts";
import { PiError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";

/** What `pi audit` needs: the scanner, the report in a format, and a place to put it. */
export interface AuditPorts {
  audit: {
    run(request: AuditRequest, signal: AbortSignal): Promise<AuditReport>;
    format(report: AuditReport, format: AuditFormat, verbose: boolean): Promise<string>;
    data(report: AuditReport): Promise<JsonObject>;
    /** Writes the report; refuses to write over a file that was looked at. Throws a PiError. */
    save(path: string, text: string, report: AuditReport): Promise<void>;
  };
}

const FORMATS = ["text", "json", "markdown"] as const;
/** A wrong command line (sysexits.h); 1 and 2 say what was found. */
const USAGE = 64;

/**
 * `pi audit`: hidden characters in everything that a model reads as orders. Exits with 0 when there is none but what belongs there, 1 when
 * one is critical, 2 when the worst is a warning (or something could not be looked at), 64 for a wrong command line. With `--strip` the
 * code tells what is left.
 */
export const auditCommand: CommandDefinition<AuditPorts> = {
  name: "audit",
  summary: "find hidden characters in instructions, skills and configuration, and remove them",
  usage: "pi audit [-v] [--format text|json|markdown] [--output F] [--strip [--dry-run]] [--file P]",
  usageExitCode: USAGE,
  options: [
    { name: "verbose", short: "v", kind: "flag", summary: "also what is information only, and every file" },
    { name: "format", kind: "value", summary: "text, json or markdown" },
    { name: "output", kind: "value", summary: "write the report to a file" },
    { name: "strip", kind: "flag", summary: "remove critical and warning characters; keeps a .bak" },
    { name: "dry-run", kind: "flag", summary: "with --strip: only show what would change" },
    { name: "file", kind: "value", summary: "look at this file or folder alone" },
  ],
  accepts: ({ words }) => words.length === 0,
  async run(parsed, { audit }, signal) {
    const wanted = readOptions(parsed);
    const report = await audit.run(wanted.request, signal);
    const text = await audit.format(report, wanted.format, wanted.verbose);
    const result: CommandResult = { exitCode: exitCode(report), blocks: [], data: await audit.data(report) };
    if (wanted.output === null) result.blocks.push({ kind: "text", text });
    else {
      await audit.save(wanted.output, `${text}\n`, report);
      result.blocks.push({ kind: "text", text: `the report is in ${wanted.output}` });
    }
    return result;
  },
};

function readOptions({ options }: ParsedArguments) {
  const value = (name: string) => {
    const given = options[name];
    return typeof given === "string" ? given : null;
  };
  const format = FORMATS.find((name) => name === (value("format") ?? "text"));
  if (format === undefined) throw usage(`--format takes ${FORMATS.join(", ")}, not "${value("format")}"`);
  for (const name of ["output", "file"])
    if (value(name)?.trim() === "") throw usage(`--${name} needs a path that is not empty`);
  const strip = options["strip"] === true;
  const dryRun = options["dry-run"] === true;
  if (dryRun && !strip) throw usage("--dry-run belongs to --strip: pi audit --strip --dry-run");
  return {
    format,
    verbose: options["verbose"] === true,
    output: value("output"),
    request: { file: value("file"), strip, dryRun },
  };
}

function usage(message: string): PiError {
  return new PiError({ code: "usage", message, hint: "see: pi audit --help", exitCode: USAGE });
}

/** By the worst that is still there; what was not looked at must not pass for clean. */
function exitCode({ files, problems }: AuditReport): number {
  const left = files.filter(({ strip }) => strip === undefined || strip.backup === null);
  const has = (severity: "critical" | "warning") =>
    left.some(({ counts }: FileAudit) => counts[severity] > 0);
  if (has("critical")) return 1;
  return has("warning") || problems.length > 0 ? 2 : 0;
}
