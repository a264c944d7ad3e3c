import { errorMessage } from "../../../contract/errors.ts";
import type { ToolContext } from "../../../contract/tool.ts";
import { IgnoreRules } from "./ignore-rules.ts";

/** What a walk passed over, so that an answer can say what was not looked at. */
export interface WalkReport {
  /** Ignored files and folders (a folder counts once), project-relative; at most 1,000 are kept. */
  ignored: string[];
  ignoredCount: number;
  unreadable: string[];
}

const ENTRIES_BETWEEN_BREATHS = 2_000;

/**
 * All files below `start` (project-relative) in byte order of their paths, not following links, without `.git`, and without
 * what `.gitignore` files ignore unless `all`. The built-in engine's walk; ends early when the signal aborts.
 */
export async function* walkFiles(
  start: string,
  all: boolean,
  context: ToolContext,
  report: WalkReport,
): AsyncGenerator<string> {
  const rules = all ? null : await IgnoreRules.open(context);
  const folders = [start];
  let seen = 0;
  while (folders.length > 0) {
    const folder = folders.pop()!;
    const below: string[] = [];
    for (const entry of listFolder(folder, context, report)) {
      if (++seen % ENTRIES_BETWEEN_BREATHS === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      if (context.signal.aborted) return;
      if (entry.name === ".git") continue;
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (rules?.ignores(path, entry.kind === "folder")) {
        report.ignoredCount += 1;
        if (report.ignored.length < 1_000) report.ignored.push(path + (entry.kind === "folder" ? "/" : ""));
      } else if (entry.kind === "folder") below.push(path);
      else if (entry.kind === "file") yield path;
    }
    folders.push(...below.reverse());
  }
}

function listFolder(folder: string, context: ToolContext, report: WalkReport) {
  try {
    return context.files.list(folder);
  } catch (error) {
    report.unreadable.push(`${folder} (${errorMessage(error)})`);
    return [];
  }
}

export function newWalkReport(): WalkReport {
  return { ignored: [], ignoredCount: 0, unreadable: [] };
}
