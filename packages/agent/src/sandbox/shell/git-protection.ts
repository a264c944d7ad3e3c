import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AGENT_WORKTREES } from "../../contract/subagents.ts";
import { gitFoldersIn } from "./git-folders.ts";
import { realPathOf } from "./real-path.ts";

/** What a repository's own programs may write and what would run as code of the user later. Real absolute paths. */
export interface GitProtection {
  /** Git folders outside of the project that a worktree of it must write to. */
  writable: string[];
  /** Renaming these away would get around the protection, so they are mounted for themselves. */
  fixed: string[];
  readOnly: string[];
  /** The repository's git folder, of which commands may write the rest. */
  gitFolder?: string;
}

/**
 * The git folders of a project: its own `.git`; in a linked worktree or a part of a repository the repository's, without
 * which nothing could be committed. Nothing when there is none. `prepare` makes a missing hooks folder, so that it can be protected.
 */
export function gitProtection(root: string, prepare: boolean): GitProtection {
  const dotGit = join(root, ".git");
  const kind = kindOf(dotGit);
  if (kind === "file") return worktree(dotGit);
  if (kind === "folder") {
    // A link to a git folder elsewhere is not followed: a repository could point it anywhere.
    if (realPathOf(dotGit) !== dotGit) return nothing();
    return { writable: [], fixed: [dotGit], readOnly: codeOf(dotGit, prepare), gitFolder: dotGit };
  }
  return enclosing(dirname(root), root, prepare);
}

/** The protection of the nearest folder above that is a work tree and whose `.git` belongs to the user who runs us; nothing when there is none. */
function enclosing(folder: string, root: string, prepare: boolean): GitProtection {
  const candidate = join(folder, ".git");
  const kind = kindOf(candidate);
  if (kind === "folder" && kindOf(join(candidate, "HEAD")) === "file") {
    // What lies in a git folder is no part of the work tree around that.
    if (!isOurs(candidate) || root.startsWith(`${candidate}/`)) return nothing();
    return { writable: [candidate], fixed: [], readOnly: codeOf(candidate, prepare), gitFolder: candidate };
  }
  const linked = kind === "file" && isOurs(candidate) ? worktree(candidate) : nothing();
  if (linked.gitFolder !== undefined) return linked;
  const above = dirname(folder);
  return above === folder ? nothing() : enclosing(above, root, prepare);
}

function isOurs(path: string): boolean {
  return statSync(path).uid === process.getuid?.() && realPathOf(path) === path;
}

function nothing(): GitProtection {
  return { writable: [], fixed: [], readOnly: [] };
}

/**
 * `.git` of a linked worktree names a folder of the main repository. It counts only when that folder names this `.git`
 * in turn (git writes both): a downloaded project could otherwise make any folder writable.
 */
function worktree(dotGit: string): GitProtection {
  const named = /^gitdir: (.+)$/m.exec(textOf(dotGit))?.[1];
  if (named === undefined) return { ...nothing(), readOnly: [dotGit] };
  const folder = realPathOf(resolve(dirname(dotGit), named.trim()));
  const back = folder === undefined ? undefined : realPathOf(textOf(join(folder, "gitdir")).trim());
  if (folder === undefined || back !== realPathOf(dotGit)) return { ...nothing(), readOnly: [dotGit] };
  const common = realPathOf(resolve(folder, textOf(join(folder, "commondir")).trim() || "."));
  if (common === undefined || !folder.startsWith(`${common}/worktrees/`))
    return { ...nothing(), readOnly: [dotGit] };
  const readOnly = [dotGit, ...codeOf(common, false)];
  if (dotGit.startsWith(`${common}/${AGENT_WORKTREES}/`))
    return { ...ownParts(common, folder, readOnly), gitFolder: common };
  return { writable: [common], fixed: [], readOnly, gitFolder: common };
}

/**
 * What a subagent's worktree needs for commits on its detached HEAD: new objects and its own index, HEAD and reflog. Branches, the
 * user's index and the worktrees of others stay as they are; so do packs, which hold what was there before.
 */
function ownParts(
  common: string,
  folder: string,
  readOnly: readonly string[],
): Omit<GitProtection, "gitFolder"> {
  const objects = join(common, "objects");
  const fixed = [
    join(objects, "pack"),
    join(objects, "info"),
    join(folder, "commondir"),
    join(folder, "gitdir"),
  ].filter((path) => kindOf(path) !== undefined);
  return { writable: [objects, folder], fixed: [], readOnly: [...readOnly, ...fixed] };
}

/** Parts of a git folder and of its submodules' that are commands, or name some. */
function codeOf(gitFolder: string, prepare: boolean): string[] {
  return gitFoldersIn(gitFolder).flatMap((folder) => {
    if (prepare && kindOf(join(folder, "HEAD")) === "file") makeMissing(folder);
    return [join(folder, "hooks"), join(folder, "config"), join(folder, "config.worktree")].filter(
      (path) => kindOf(path) !== undefined,
    );
  });
}

/** What git would obey once somebody made it, so that it can be mounted: empty it says nothing. */
function makeMissing(gitFolder: string): void {
  try {
    const hooks = join(gitFolder, "hooks");
    if (kindOf(hooks) === undefined) mkdirSync(hooks);
    const usesWorktreeConfig = /^\s*worktreeconfig\s*(=\s*(true|yes|on|1)\s*)?$/im;
    const more = join(gitFolder, "config.worktree");
    if (kindOf(more) === undefined && usesWorktreeConfig.test(textOf(join(gitFolder, "config"))))
      writeFileSync(more, "", { flag: "wx" });
  } catch {
    // a git folder that we cannot write to is one that commands cannot write to either
  }
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    // missing, or not ours to look at
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, 4096);
  } catch {
    // not there or not readable: says nothing
    return "";
  }
}
