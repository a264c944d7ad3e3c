import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The project of a folder: the real path of its root, and its `.pi-go` folder if it has one of its own. */
export interface Project {
  root: string;
  /** `<root>/.pi-go`; null when there is none, or when it is the user's own state folder (the home folder as a project). */
  folder: string | null;
}

/**
 * The project that `cwd` belongs to: the nearest folder upwards with a `.pi-go`, but not above the top of its git work tree;
 * outside of git only `cwd` itself. Without any `.pi-go` the root is `cwd`. Only looks, never throws for a missing folder.
 */
export function findProject(cwd: string, stateFolder: string): Project {
  const start = real(cwd);
  const state = real(stateFolder);
  const top = gitTop(start) ?? start;
  for (let root = start; ; root = dirname(root)) {
    const folder = join(root, ".pi-go");
    if (isFolder(folder) && real(folder) !== state) return { root, folder };
    if (root === top || root === dirname(root)) return { root: start, folder: null };
  }
}

function gitTop(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // not there (yet): its name is all there is to compare
    return path;
  }
}
