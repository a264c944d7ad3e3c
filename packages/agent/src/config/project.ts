import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitTop } from "../platform/git-top.ts";
import { realFolder } from "../platform/real-folder.ts";

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
  const start = realFolder(cwd);
  const state = realFolder(stateFolder);
  const top = gitTop(start) ?? start;
  for (let root = start; ; root = dirname(root)) {
    const folder = join(root, ".pi-go");
    if (isFolder(folder) && realFolder(folder) !== state) return { root, folder };
    if (root === top || root === dirname(root)) return { root: start, folder: null };
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // a link that leads round in a circle, or a folder that is not ours to enter: nothing in it acts
    return false;
  }
}
