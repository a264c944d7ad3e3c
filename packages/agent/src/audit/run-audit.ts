import { relative, sep } from "node:path";
import type { AuditNote, AuditReport, AuditRequest, FileAudit } from "../contract/audit.ts";
import { errorMessage, PiError, systemCode } from "../contract/errors.ts";
import type { HomeFolders } from "../platform/home.ts";
import { realFolder } from "../platform/real-folder.ts";
import { createRedactor } from "../platform/redact.ts";
import { textBytes } from "./code-points.ts";
import { type FoundFile, findFiles, namedPlace } from "./find-files.ts";
import { auditPlaces, type Place } from "./places.ts";
import { scanFile } from "./scan-file.ts";
import { showHidden } from "./show-hidden.ts";
import { stripFile } from "./strip-file.ts";

export interface AuditWorld {
  cwd: string;
  home: HomeFolders;
}

/** Exit code of a wrong command line, as the contract has it for this command. */
const USAGE = 64;

/**
 * Looks at the named file or folder, or at every place that instructions come from, and strips on request. What cannot be looked at
 * is a problem in the report; only a `--file` that is not there is refused (PiError, exit code 64). An interrupt ends it early.
 */
export async function runAudit(
  request: AuditRequest,
  world: AuditWorld,
  signal: AbortSignal,
): Promise<AuditReport> {
  const shown = shownPath(world);
  const note = ({ path, reason }: AuditNote): AuditNote => ({ path: shown(path), reason: visible(reason) });
  const { places, cutAt } =
    request.file === null
      ? auditPlaces(world.cwd, world.home)
      : { places: [named(request.file)], cutAt: null };
  const found = findFiles(places);
  const report: AuditReport = {
    files: [],
    problems: found.problems.map(note),
    skipped: found.skipped.map(note),
  };
  if (cutAt !== null)
    report.problems.push({
      path: ".",
      reason: `only the first ${cutAt} folders of the project were searched`,
    });
  const redact = createRedactor();
  for (const file of found.files) {
    if (signal.aborted) break;
    try {
      const scanned = await scanFile(file.path, signal);
      if (scanned === "binary") {
        report.skipped.push(note({ path: file.name, reason: "it is no text" }));
        continue;
      }
      for (const finding of scanned.findings) finding.context = redact.text(finding.context);
      const audit: FileAudit = { path: shown(file.name), realPath: file.path, kind: file.kind, ...scanned };
      report.files.push(audit);
      if (request.strip) strip(file, audit, request.dryRun, report, shown);
    } catch (thrown) {
      report.problems.push(note({ path: file.name, reason: errorMessage(thrown) }));
    }
  }
  return report;
}

function strip(
  file: FoundFile,
  audit: FileAudit,
  dryRun: boolean,
  report: AuditReport,
  shown: (path: string) => string,
): void {
  if (audit.counts.critical + audit.counts.warning === 0) return;
  try {
    const done = stripFile({ ...file, name: audit.path }, dryRun);
    if (done !== null) audit.strip = { ...done, backup: done.backup === null ? null : shown(done.backup) };
  } catch (thrown) {
    report.problems.push({
      path: audit.path,
      reason: `nothing was removed: ${visible(errorMessage(thrown))}`,
    });
  }
}

function named(path: string): Place {
  try {
    return namedPlace(path);
  } catch (thrown) {
    const missing = systemCode(thrown) === "ENOENT";
    throw new PiError({
      code: "usage",
      message: `--file ${path}: ${missing ? "there is no such file or folder" : errorMessage(thrown)}`,
      hint: "check the path",
      exitCode: USAGE,
      cause: thrown,
    });
  }
}

/** Paths as people read them: relative inside of the current folder, `~/…` inside of the home folder; hidden characters written out. */
function shownPath({ cwd, home }: AuditWorld): (path: string) => string {
  const bases: [string, string][] = [
    [cwd, ""],
    [realFolder(cwd), ""],
    [home.user, "~/"],
    [realFolder(home.user), "~/"],
  ];
  return (path) => {
    for (const [base, prefix] of bases)
      if (path.startsWith(base + sep)) return visible(prefix + relative(base, path).split(sep).join("/"));
    return visible(path);
  };
}

function visible(text: string): string {
  const bytes = textBytes(text);
  return showHidden(bytes, 0, bytes.length).replaceAll("\n", "\\n");
}
