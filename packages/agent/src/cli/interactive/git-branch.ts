import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { gitTop } from "../../platform/git-top.ts";

/** The branch that is checked out in the work tree of `cwd`, or the start of its commit; undefined outside of git. Starts no process. */
export function currentGitBranch(cwd: string): string | undefined {
  const top = gitTop(cwd);
  if (top === null) return undefined;
  try {
    const head = readFileSync(join(gitFolder(join(top, ".git")), "HEAD"), "utf8").trim();
    return head.startsWith("ref: ") ? head.slice(5).replace(/^refs\/heads\//, "") : head.slice(0, 8);
  } catch {
    // a repository that is broken or being made: no branch to show
    return undefined;
  }
}

/** A linked work tree has a file in place of the folder that says where it is. */
function gitFolder(path: string): string {
  if (statSync(path).isDirectory()) return path;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1]?.trim() ?? "";
  return isAbsolute(named) ? named : resolve(dirname(path), named);
}
