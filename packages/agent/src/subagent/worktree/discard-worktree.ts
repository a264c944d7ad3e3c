import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSmallFile } from "../../platform/read-small-file.ts";
import type { Repository } from "./repository.ts";

/** Removes the worktree of an id with everything in it, whatever state it is in. */
export async function discardWorktree(
  { git, worktrees }: Pick<Repository, "git" | "worktrees">,
  id: string,
): Promise<void> {
  const folder = join(worktrees, id);
  await git.run(["worktree", "remove", "--force", folder], { okCodes: [0, 128] });
  rmSync(folder, { recursive: true, force: true });
  // Git does not remove what is locked or half made. `git worktree prune` would take other worktrees along: those of the user whose
  // disk is not mounted at the moment, with their indexes and detached commits.
  for (const registration of registrationsOf(worktrees, id))
    rmSync(registration, { recursive: true, force: true });
}

/** Folders in which git keeps what it knows of a worktree. */
function registrationsOf(worktrees: string, id: string): string[] {
  const all = join(dirname(worktrees), "worktrees");
  if (!existsSync(all)) return [];
  const files = [worktrees, realpathSync(worktrees)].map((parent) => join(parent, id, ".git"));
  return readdirSync(all)
    .map((name) => join(all, name))
    .filter((folder) => files.includes(resolve(folder, fileNamedIn(folder))));
}

function fileNamedIn(registration: string): string {
  try {
    return readSmallFile(join(registration, "gitdir")).trim();
  } catch {
    // half made, or not a folder of git's
    return "";
  }
}
