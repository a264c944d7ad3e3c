import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../contract/errors.ts";
import type { AgentChange } from "../../contract/subagents.ts";
import { hasNewRepositories } from "./new-repositories.ts";
import { endOwner, removeOwner } from "./owner-file.ts";
import { decode, type RepoGit } from "./repo-git.ts";
import { type Repository, treeState } from "./repository.ts";

/** A worktree that nobody works on any more. */
export interface EndedWorktree {
  id: string;
  base: string;
  task: string;
  /** Git inside of it; null when it is gone. */
  inside: RepoGit | null;
}

/**
 * Commits everything in a worktree to its branch, then removes the worktree unless that would lose something: ignored files, or
 * repositories inside of it. Null, and nothing is left, when nothing was changed.
 */
export async function keepWorktree(
  repository: Repository,
  ended: EndedWorktree,
): Promise<AgentChange | null> {
  const { git, worktrees } = repository;
  const { id, base, inside } = ended;
  const ref = `refs/heads/pi/${id}`;
  const { tip, whole } =
    inside === null ? { tip: await git.find(ref), whole: true } : await commitAll(inside, worktrees, ended);
  if (tip === null) {
    // It was cut off before it had a branch.
    removeOwner(worktrees, id);
    return null;
  }
  const before = await git.find(ref);
  const left = (await abandoned(inside, tip)) ?? before;
  // The agent may have gone back and begun anew: what it left behind keeps a name.
  if (left !== null && left !== tip && !(await isAncestor(git, left, tip)))
    await git.run(["update-ref", `${ref}-earlier`, left]);
  await git.run(["update-ref", ref, tip]);
  // It may have moved to another branch; from here on the worktree is what its own branch is.
  await inside?.run(["update-ref", "--no-deref", "HEAD", tip]);
  const removed = inside === null || (whole && (await removeWorktree(repository, inside, tip, base)));
  if (removed) removeOwner(worktrees, id);
  else endOwner(worktrees, id);
  if (removed && tip === base) {
    await git.run(["update-ref", "-d", ref, tip]);
    return null;
  }
  return {
    branch: `pi/${id}`,
    base,
    stat: await git.text(["diff", "--stat=100", base, tip]),
    folder: removed ? null : join(worktrees, id),
  };
}

async function commitAll(
  inside: RepoGit,
  worktrees: string,
  { id, task, base }: EndedWorktree,
): Promise<{ tip: string; whole: boolean }> {
  const { tree, head, unread } = await treeState(inside, worktrees);
  const whole = unread.length === 0;
  const parent = head ?? base;
  if ((await inside.text(["rev-parse", `${parent}^{tree}`])) === tree) return { tip: parent, whole };
  const subject = task.trim().split("\n", 1)[0]!.slice(0, 100).toWellFormed();
  const tip = await inside.commit(tree, [parent], `pi ${id}${subject === "" ? "" : `: ${subject}`}\n`);
  return { tip, whole };
}

/** The last commit that the agent went away from (checkout, reset) and that its work does not hold; null when there is none. */
async function abandoned(inside: RepoGit | null, tip: string): Promise<string | null> {
  if (inside === null) return null;
  const moves = await inside.run(["log", "--walk-reflogs", "--format=%H %gs", "HEAD", "--"], {
    okCodes: [0, 128],
  });
  const entries = decode(moves.stdout).trim().split("\n");
  // Newest first: what a move went away from is the entry after it.
  for (const [index, entry] of entries.entries()) {
    const from = entries[index + 1]?.split(" ", 1)[0];
    if (from && /^\w+ (checkout|reset): moving /.test(entry) && !(await isAncestor(inside, from, tip)))
      return from;
  }
  return null;
}

async function isAncestor(git: RepoGit, older: string, newer: string): Promise<boolean> {
  return (await git.run(["merge-base", "--is-ancestor", older, newer], { okCodes: [0, 1] })).code === 0;
}

async function removeWorktree(
  { git }: Repository,
  inside: RepoGit,
  tip: string,
  base: string,
): Promise<boolean> {
  const ignored = await inside.run([
    "ls-files",
    "--others",
    "--ignored",
    "--exclude-standard",
    "--directory",
    "-z",
  ]);
  if (ignored.stdout.length > 0 || (await hasNewRepositories(git, base, tip))) return false;
  // The index as of the commit, so that git finds nothing in it that would be lost; what a sparse checkout leaves out is not missing.
  const indexed = await inside.run(["read-tree", "--reset", tip], { okCodes: [0, 128] });
  if (indexed.code !== 0) return false;
  // Git removes nothing whose `.git` is gone; one that is something else now is a repository of the agent's.
  const gitFolder = await inside.text(["rev-parse", "--absolute-git-dir"]);
  try {
    // "wx" also refuses a link that leads nowhere.
    writeFileSync(join(inside.folder, ".git"), `gitdir: ${gitFolder}\n`, { flag: "wx" });
  } catch (thrown) {
    if (systemCode(thrown) !== "EEXIST") throw thrown;
  }
  await git.run(["worktree", "remove", inside.folder], { okCodes: [0, 128] });
  return !existsSync(inside.folder);
}
