import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { AuditedKind, AuditNote } from "../contract/audit.ts";
import { errorMessage, systemCode } from "../contract/errors.ts";
import type { Place } from "./places.ts";
import { scan } from "./scan.ts";

/** A file to be looked at. */
export interface FoundFile {
  /** Real path. */
  path: string;
  /** The path by which it was found. */
  name: string;
  kind: AuditedKind;
  /** Why it may not be changed; null: it may. */
  readOnly: string | null;
}

export interface FoundFiles {
  files: FoundFile[];
  problems: AuditNote[];
  skipped: AuditNote[];
}

const MOST_FILES = 20_000;
/** What the folders of a state folder hold. */
const FOLDER_KINDS: Readonly<Record<string, AuditedKind>> = {
  skills: "skill",
  prompts: "skill",
  agents: "agent",
  sops: "sop",
};
const FILE_KINDS: Readonly<Record<string, AuditedKind>> = {
  "AGENTS.md": "instructions",
  "CLAUDE.md": "instructions",
  "mcp.json": "mcp",
};

/** All files of the places, each once, with what cannot be looked at and what is left out on purpose. */
export function findFiles(places: readonly Place[]): FoundFiles {
  const found: FoundFiles = { files: [], problems: [], skipped: [] };
  const seen = new Set<string>();
  for (const place of places) visit(place.path, place.kind, place, found, seen);
  return found;
}

function visit(name: string, kind: AuditedKind, place: Place, found: FoundFiles, seen: Set<string>): void {
  const problem = (reason: string) => found.problems.push({ path: name, reason });
  try {
    const real = realpathSync(name);
    if (seen.has(real)) return;
    const inside = real === place.within || real.startsWith(place.within + sep);
    if (!inside && !place.mayReadOutside) {
      problem(`it is a link to ${real}, outside of ${place.within}`);
      return;
    }
    seen.add(real);
    const stat = statSync(real);
    if (stat.isDirectory()) visitFolder(name, kind, place, found, seen);
    else if (!stat.isFile()) found.skipped.push({ path: name, reason: "it is no file" });
    else if (found.files.length >= MOST_FILES) {
      if (found.problems.at(-1)?.reason !== TOO_MANY) problem(TOO_MANY);
    } else {
      const readOnly = inside ? null : `it is a link to ${real}: name that file with --file`;
      found.files.push({ path: real, name, kind, readOnly });
    }
  } catch (thrown) {
    problem(whyNot(name, thrown));
  }
}

const TOO_MANY = `this and what follows was not looked at: there are more than ${MOST_FILES} files`;

function visitFolder(
  folder: string,
  kind: AuditedKind,
  place: Place,
  found: FoundFiles,
  seen: Set<string>,
): void {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const skip = skipReason(folder, name);
    if (skip !== null) found.skipped.push({ path, reason: skip });
    else visit(path, kindOf(name, kind), place, found, seen);
    const { counts } = scan(name, { kind: "value" });
    if (counts.critical + counts.warning > 0)
      found.problems.push({ path, reason: "its name has hidden characters" });
  }
}

function kindOf(name: string, kind: AuditedKind): AuditedKind {
  return kind === "config" ? (FOLDER_KINDS[name] ?? FILE_KINDS[name] ?? kind) : kind;
}

function skipReason(folder: string, name: string): string | null {
  if (name === ".git" || name === "node_modules") return "what is in it comes from elsewhere";
  if (/^\.env(?:\..*)?$/.test(name)) return "it holds keys";
  const original = name.match(/^(.+)\.bak(?:\.\d+)?$/)?.[1];
  return original !== undefined && existsSync(join(folder, original)) ? "it is a backup" : null;
}

function whyNot(name: string, thrown: unknown): string {
  const code = systemCode(thrown);
  if (code === "ENOENT") return isLink(name) ? "it is a link that leads nowhere" : "it is not there";
  if (code === "ELOOP") return "its links go round in a circle";
  if (code === "EACCES" || code === "EPERM") return "it may not be read";
  return errorMessage(thrown);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** The place that `--file` names: links may not lead out of the folder it lies in (of a folder: out of itself). */
export function namedPlace(path: string): Place {
  const stat = statSync(path);
  const real = realpathSync(path);
  const within = stat.isDirectory() ? real : realpathSync(join(path, ".."));
  const kind = kindOf(basename(path), "config");
  return { path, kind: kind === "config" ? "file" : kind, within, mayReadOutside: !stat.isDirectory() };
}
