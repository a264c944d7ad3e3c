import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** More submodules than this are not looked at: each costs the sandbox two mounts. */
const MAX_MODULES = 100;
/** Submodules of submodules lie in `modules/a/modules/b`, and their names may hold slashes. */
const MAX_DEPTH = 6;
/** What git writes into `commondir` of a linked worktree (gitrepository-layout(5)). */
const ABOVE_WORKTREES = "../..";

/** `gitFolder` and the git folders of its submodules, which git obeys like its own. Real absolute paths in, the same out. */
export function gitFoldersIn(gitFolder: string): string[] {
  const found = [gitFolder];
  for (const folder of found) if (found.length < MAX_MODULES) addModules(join(folder, "modules"), found, 0);
  return found.slice(0, MAX_MODULES);
}

function addModules(folder: string, found: string[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  for (const name of foldersOf(folder)) {
    const path = join(folder, name);
    if (isFile(join(path, "HEAD"))) found.push(path);
    else addModules(path, found, depth + 1);
  }
}

/**
 * Undoes what sends git to another folder for its settings: a `commondir` where git never makes one, or one in a linked
 * worktree that does not name this repository. No mount can keep a file from being made, so it is removed after each
 * command. Never throws; what cannot be undone was not ours to write either.
 */
export function undoRedirects(gitFolder: string): void {
  try {
    for (const folder of gitFoldersIn(gitFolder)) {
      rmSync(join(folder, "commondir"), { force: true });
      const worktrees = join(folder, "worktrees");
      for (const name of foldersOf(worktrees)) {
        const file = join(worktrees, name, "commondir");
        if (isFile(file) && readFileSync(file, "utf8").trim() !== ABOVE_WORKTREES)
          writeFileSync(file, `${ABOVE_WORKTREES}\n`);
      }
    }
  } catch {
    // a folder of another user, or one that goes away this moment
  }
}

function foldersOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    // there is none
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
