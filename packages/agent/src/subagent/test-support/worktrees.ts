import type { Workspace } from "@pi-ts/testkit";
import { systemClock } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import { createProcessRegistry } from "../../platform/processes/registry.ts";
import { neutralArguments } from "../../tools/shared/git/untrusted-config.ts";
import type { AgentWorktree } from "../worktree/agent-worktrees.ts";
import { GitWorktrees } from "../worktree/git-worktrees.ts";

/** Worktrees of a workspace's repository, on real processes; `variables` are what pi was started with besides. */
export function worktreesOf(
  ws: Workspace,
  cwd: string = ws.path,
  variables: Readonly<Record<string, string | undefined>> = {},
): { trees: GitWorktrees } & AsyncDisposable {
  const environment = ws.env(variables);
  const processes = createProcessRegistry({ environment, ownerId: newId(), clock: systemClock });
  return {
    trees: new GitWorktrees({ processes, clock: systemClock, cwd, neutralArguments }),
    [Symbol.asyncDispose]: () => processes.endAll(),
  };
}

/** A worktree that has to come about. */
export async function made(trees: GitWorktrees, id: string): Promise<AgentWorktree> {
  const worktree = await trees.make(id);
  if ("reason" in worktree) throw new Error(worktree.reason);
  return worktree;
}

/** Everything that a user sees of a repository: files, index, HEAD, branches but ours, stash, worktrees. */
export function userView(ws: Workspace) {
  return {
    files: ws.snapshot(),
    status: ws.git("status", "--porcelain=v2", "--untracked-files=all"),
    index: ws.git("ls-files", "--stage"),
    head: ws.git("symbolic-ref", "HEAD"),
    stash: ws.git("stash", "list"),
    branches: ws.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/main", "refs/tags"),
  };
}
