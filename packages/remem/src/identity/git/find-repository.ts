import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { configWorktree } from "./config-remotes.ts";
import { isWithin } from "./git-program.ts";
import { kindOf, readSmallFile } from "./small-file.ts";

/** A repository as its folders say it, found without running git and without regard to `GIT_DIR` and its kin. */
export interface FoundRepository {
  /** The top folder of the working tree, or the git folder of a bare repository. */
  readonly root: string;
  /** The git folder of this working tree. */
  readonly gitDir: string;
  /** The folder that all working trees of the repository share. */
  readonly commonDir: string;
}

/** What a walk upwards found: a repository, none, or one that cannot be trusted to be what it says, with the reason. */
export type Search =
  | { readonly found: "repository"; readonly repository: FoundRepository }
  | { readonly found: "nothing" }
  | { readonly found: "doubtful"; readonly root: string; readonly why: string };

const DEEPEST = 128;
const POINTER = /^gitdir: (.+?)\s*$/;

/**
 * The repository that a folder (a real path) lies in. A `.git` file is followed only to a git folder that knows of it: whoever writes
 * such a file would otherwise read the memories of any project whose place is known.
 */
export async function findRepository(folder: string): Promise<Search> {
  let bare: FoundRepository | undefined;
  let at = folder;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const entry = join(at, ".git");
    const kind = await kindOf(entry);
    if (kind === "folder" && (await isGitDir(entry))) {
      const gitDir = await realpath(entry);
      if (basename(gitDir) === ".git" && dirname(gitDir) !== at)
        return doubtful(at, `its .git is a link into ${dirname(gitDir)}, another working tree`);
      return repository(at, gitDir);
    }
    if (kind === "file") return await followPointer(at, entry);
    // A folder that looks like a bare repository within a working tree is content of that tree, and can be put there by anybody.
    if (bare === undefined && (await isGitDir(at))) bare = await ownFolder(at);
    const parent = dirname(at);
    if (parent === at) break;
    at = parent;
  }
  return bare === undefined ? { found: "nothing" } : { found: "repository", repository: bare };
}

async function repository(root: string, gitDir: string): Promise<Search> {
  return { found: "repository", repository: { root, gitDir, commonDir: await commonDirOf(gitDir) } };
}

function doubtful(root: string, why: string): Search {
  return { found: "doubtful", root, why };
}

/** A git folder that the walk came through itself: of a bare repository, or of a working tree of which it is the `.git`. */
async function ownFolder(folder: string): Promise<FoundRepository> {
  const root = basename(folder) === ".git" ? dirname(folder) : folder;
  return { root, gitDir: folder, commonDir: await commonDirOf(folder) };
}

async function followPointer(root: string, entry: string): Promise<Search> {
  const target = POINTER.exec((await readSmallFile(entry)) ?? "")?.[1];
  if (target === undefined) return doubtful(root, "its .git file names no folder");
  let gitDir: string;
  try {
    gitDir = await realpath(resolve(root, target));
  } catch {
    return doubtful(root, `its .git file names ${target}, which is not there`);
  }
  if (!(await isGitDir(gitDir)))
    return doubtful(root, `its .git file names ${gitDir}, which is no git folder`);
  const commonDir = await commonDirOf(gitDir);
  const back = await readSmallFile(join(gitDir, "gitdir"));
  if (back !== null)
    return (await isSame(resolve(gitDir, back.trim()), entry))
      ? repository(root, gitDir)
      : doubtful(
          root,
          `it is a copy or was moved: its repository knows it as ${back.trim()} (git worktree repair mends that)`,
        );
  if (commonDir !== gitDir) return doubtful(root, "its repository does not know it as a working tree");
  if (isWithin(gitDir, root) || (await belongsTo(gitDir, root))) return repository(root, gitDir);
  return doubtful(
    root,
    `its .git file leads to ${gitDir}, which does not say so (git config core.worktree in it mends that, if it is yours)`,
  );
}

/** Whether a git folder names this working tree as its own, as those of submodules do. */
async function belongsTo(gitDir: string, root: string): Promise<boolean> {
  const config = (await readSmallFile(join(gitDir, "config"))) ?? "";
  const worktree = configWorktree(config);
  return worktree !== undefined && (await isSame(resolve(gitDir, worktree), root));
}

/** The shared folder of a linked working tree's git folder. Only one that lies in its `worktrees/` may name it: anybody can write the file. */
async function commonDirOf(gitDir: string): Promise<string> {
  const text = (await readSmallFile(join(gitDir, "commondir")))?.trim();
  if (text === undefined || text === "") return gitDir;
  try {
    const shared = await realpath(resolve(gitDir, text));
    return dirname(gitDir) === join(shared, "worktrees") ? shared : gitDir;
  } catch {
    // a repository whose shared folder is gone has only its own
    return gitDir;
  }
}

async function isGitDir(folder: string): Promise<boolean> {
  if ((await kindOf(join(folder, "HEAD"))) !== "file") return false;
  if ((await kindOf(join(folder, "commondir"))) === "file") return true;
  return (
    (await kindOf(join(folder, "objects"))) === "folder" && (await kindOf(join(folder, "refs"))) === "folder"
  );
}

async function isSame(first: string, second: string): Promise<boolean> {
  try {
    return (await realpath(first)) === (await realpath(second));
  } catch {
    // one of them is gone
    return false;
  }
}
