import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { errorMessage } from "../contract/errors.ts";
import { gitTop } from "../platform/git-top.ts";
import { realFolder } from "../platform/real-folder.ts";
import { type ContextText, NOT_THERE, readContextText } from "./context-text.ts";

/** One file of instructions that goes into the system text. */
export interface ContextFile {
  /** Absolute real path. */
  path: string;
  /** As people and models read it: relative to the project's top, or the path itself for the user's own file. */
  name: string;
  /** `user`: of the user, for all projects. `parent`: of a folder above the current one. `project`: of the current folder. */
  scope: "user" | "parent" | "project";
  text: string;
  /** Bytes of the file that were left out at its end, and its whole size; absent when it is complete. */
  cut?: { leftOut: number; size: number };
}

export interface ContextFiles {
  /** In the order in which they are to be read: the user's, then from the top of the project down, the nearest last. */
  files: ContextFile[];
  /** What was found and not read, and why, in whole sentences. */
  problems: string[];
}

const MOST_BYTES_EACH = 32 * 1024;
const MOST_BYTES_TOGETHER = 64 * 1024;
const NAME = "AGENTS.md";
const FALLBACK = "CLAUDE.md";

interface Candidate {
  path: string;
  scope: ContextFile["scope"];
}

/**
 * Collects the instructions for a run in `cwd`: `AGENTS.md` of `userFolder` (`~/.pi-go`), of each folder from the git
 * top-level down to `cwd` (without a repository: of `cwd` alone; `CLAUDE.md` where a folder has no `AGENTS.md`), and
 * `.pi-go/AGENTS.md` of `cwd`. At most 32 KB each and 64 KB together: what is farthest away is cut first. A link that
 * leaves the project is reported and not followed; a file that is reached twice counts once. Never throws.
 */
export function collectContextFiles(options: { cwd: string; userFolder: string }): ContextFiles {
  const cwd = realFolder(options.cwd);
  const top = gitTop(cwd) ?? cwd;
  const problems: string[] = [];
  const seen = new Set<string>();
  const found: { candidate: Candidate; text: ContextText }[] = [];
  for (const candidate of candidates(cwd, top, options.userFolder)) {
    const { path, scope } = candidate;
    const name = nameOf(path, top, scope);
    try {
      const text = readContextText(path, scope === "user" ? null : top, MOST_BYTES_EACH);
      if (typeof text === "string") problems.push(`${name} was not read: ${text}`);
      else if (text !== NOT_THERE && !seen.has(text.identity) && text.text.trim() !== "") {
        seen.add(text.identity);
        found.push({ candidate, text });
      }
    } catch (thrown) {
      problems.push(`${name} was not read: ${errorMessage(thrown)}`);
    }
  }
  const files = fit(found, top, problems);
  return { files, problems };
}

function candidates(cwd: string, top: string, userFolder: string): Candidate[] {
  const folders = [cwd];
  while (folders[0] !== top && dirname(folders[0]!) !== folders[0]) folders.unshift(dirname(folders[0]!));
  return [
    { path: join(userFolder, NAME), scope: "user" },
    ...folders.map((folder) => ({
      path: join(folder, hasName(folder) ? NAME : FALLBACK),
      scope: folder === cwd ? ("project" as const) : ("parent" as const),
    })),
    { path: join(cwd, ".pi-go", NAME), scope: "project" },
  ];
}

/** Also true for a link that leads nowhere, so that it is reported rather than passed over. */
function hasName(folder: string): boolean {
  try {
    return readdirSync(folder).includes(NAME) || existsSync(join(folder, NAME));
  } catch {
    // a folder that may be entered but not listed
    return existsSync(join(folder, NAME));
  }
}

/** Shares out the room: the current folder first, then the user's file, then the folders above, the nearest first. */
function fit(
  found: { candidate: Candidate; text: ContextText }[],
  top: string,
  problems: string[],
): ContextFile[] {
  const rank = { project: 0, user: 1, parent: 2 };
  const order = found.map((_, index) => index);
  order.sort((a, b) => rank[found[a]!.candidate.scope] - rank[found[b]!.candidate.scope] || b - a);
  const files = new Map<number, ContextFile>();
  let room = MOST_BYTES_TOGETHER;
  for (const index of order) {
    const { candidate, text } = found[index]!;
    const name = nameOf(text.path, top, candidate.scope);
    const kept = text.upTo(room);
    const keptBytes = Buffer.byteLength(kept);
    room -= keptBytes;
    if (kept === "") {
      problems.push(`${name} was left out: the instructions together are limited to 64 KB`);
      continue;
    }
    const leftOut = text.size - keptBytes;
    files.set(index, {
      path: text.path,
      name,
      scope: candidate.scope,
      text: kept,
      ...(leftOut > 0 && { cut: { leftOut, size: text.size } }),
    });
    if (leftOut > 0)
      problems.push(`${name} was cut: its last ${leftOut} of ${text.size} bytes were not read`);
  }
  return found.map((_, index) => files.get(index)).filter((file) => file !== undefined);
}

function nameOf(path: string, top: string, scope: ContextFile["scope"]): string {
  if (scope === "user") return path;
  const name = relative(top, path);
  return name.startsWith("..") ? path : name.split(sep).join("/");
}
