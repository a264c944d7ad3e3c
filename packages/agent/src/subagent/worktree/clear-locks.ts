import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownerLives, readOwner } from "./owner-file.ts";
import type { Repository } from "./repository.ts";

/**
 * Removes what a git that was killed with the owner of a worktree has left locked of it and of its branch: nobody else works there, and
 * every later git would refuse. Does nothing while the owner lives.
 */
export function clearLocks({ worktrees }: Pick<Repository, "worktrees">, id: string): void {
  const owner = readOwner(worktrees, id);
  if (owner === null || ownerLives(owner)) return;
  const branch = join(dirname(worktrees), "refs", "heads", "pi", `${id}.lock`);
  const own = ["HEAD.lock", "index.lock", "ORIG_HEAD.lock"].map((name) => join(owner.gitFolder, name));
  for (const lock of [branch, ...own]) rmSync(lock, { force: true });
}
