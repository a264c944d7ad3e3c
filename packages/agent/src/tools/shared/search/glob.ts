import { PiError } from "../../../contract/errors.ts";
import type { ToolContext } from "../../../contract/tool.ts";
import type { SearchRoot } from "./search-root.ts";

/** A glob made ready for both engines, so that they agree on what it means. */
export interface FileGlob {
  /** Whether a file (project-relative) is meant. */
  matches(path: string): boolean;
  /** The same for ripgrep, which skips folders by it; a file that it lets through may still be an ignored one. */
  ripgrep: string[];
}

/**
 * Reads a glob as `.gitignore` and ripgrep do: without a slash it is compared with the file's name, with one with the whole
 * path, counted from the project or from the searched folder; `**` spans folders, `{a,b}` and `[x]` work, case matters, a
 * leading `!` turns it round. A folder's name means all that is in it; an absolute path inside the project is taken as
 * relative to it. Throws PiError `bad_glob`.
 */
export function fileGlob(pattern: string, root: SearchRoot, context: ToolContext): FileGlob {
  const negated = pattern.startsWith("!");
  const glob = normalised(negated ? pattern.slice(1) : pattern, context);
  checkGlob(glob, pattern);
  const anchored = glob.startsWith("/");
  const plain = anchored ? glob.slice(1) : glob;
  const whole = anchored || plain.includes("/");
  const below = root.path === "." ? "" : `${root.path}/`;
  const matcher = new Bun.Glob(whole ? plain : `**/${plain}`);
  const inside = (path: string) => below !== "" && path.startsWith(below) && path.slice(below.length);
  return {
    matches(path) {
      const rest = whole && inside(path);
      return (matcher.match(path) || (typeof rest === "string" && matcher.match(rest))) !== negated;
    },
    ripgrep: flagsFor(plain, whole, below).map((flag) => `--glob=${negated ? "!" : ""}${flag}`),
  };
}

function flagsFor(glob: string, whole: boolean, below: string): string[] {
  // What means every file must not go to ripgrep: there a glob that matches overrules `.gitignore`.
  if (/^(\*+|\*\*\/\**)$/.test(glob)) return [];
  if (!whole) return [glob];
  return below === "" ? [`/${glob}`] : [`/${glob}`, `/${escapeGlob(below)}${glob}`];
}

function normalised(pattern: string, context: ToolContext): string {
  const prefix = `${context.files.root}/`;
  let glob = pattern.startsWith(prefix) ? pattern.slice(prefix.length) : pattern;
  while (glob.startsWith("./")) glob = glob.slice(2);
  if (glob === "" || glob === ".") return "**";
  if (glob.endsWith("/")) return `${glob}**`;
  return isFolder(glob, context) ? `/${glob.replace(/^\//, "")}/**` : glob;
}

function isFolder(glob: string, context: ToolContext): boolean {
  if (/[*?[\]{}\\]/.test(glob)) return false;
  try {
    return context.files.stat(glob.replace(/^\//, "")).kind === "folder";
  } catch {
    // a file's name, or nothing that is there
    return false;
  }
}

/** Says what ripgrep would say; the built-in matcher silently matches nothing. */
function checkGlob(glob: string, given: string): void {
  let depth = 0;
  let problem: string | undefined;
  for (let at = 0; at < glob.length && problem === undefined; at++) {
    const character = glob[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "}" && --depth < 0) problem = 'a "}" without "{"';
    else if (character === "[") {
      const end = glob.indexOf(
        "]",
        at + (/^\[[!^]?\]/.test(glob.slice(at)) ? (glob[at + 1] === "]" ? 2 : 3) : 1),
      );
      if (end === -1) problem = 'a "[" without "]"';
      else at = end;
    }
  }
  if (depth > 0) problem ??= 'a "{" without "}"';
  if (problem === undefined && !glob.includes("\0")) return;
  throw new PiError({
    code: "bad_glob",
    message: `the glob ${JSON.stringify(given)} has ${problem ?? "a NUL character"}`,
    hint: "put a backslash before a character that stands for itself",
  });
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}!\\]/g, "\\$&");
}
