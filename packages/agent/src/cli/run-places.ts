import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, PiError } from "../contract/errors.ts";
import type { AgentChange, JoinedChange } from "../contract/subagents.ts";
import type { RunPlace } from "../plan/run/run-ports.ts";
import { bounded } from "../plan/run/run-prompts.ts";
import { randomWord } from "../platform/random.ts";
import type { AgentWorktree } from "../subagent/worktree/agent-worktrees.ts";
import type { GitWorktrees } from "../subagent/worktree/git-worktrees.ts";
import { readOwner } from "../subagent/worktree/owner-file.ts";
import type { RepoGit } from "../subagent/worktree/repo-git.ts";
import type { App } from "./app.ts";
import type { AppParts } from "./app-parts.ts";
import { confinedCommand } from "./confined-command.ts";

/** Characters of a change that a reviewer is given. */
const MOST_DIFF = 60_000;
const MOST_NAME = 60;

/** What places of runs are made from. */
export interface RunPlaceParts extends Pick<AppParts, "settings" | "home" | "environment" | "chosen"> {
  app: Pick<App, "subagents" | "session">;
  spec: string;
  gateMs: number;
  /** The message of the commit that brings the work in. */
  commitMessage(): string;
}

/** The copy of the project for a new run, or (`resume`) that of an interrupted one; null when that is gone. Rejects with a PiError. */
export async function openRunPlace(
  parts: RunPlaceParts,
  resume: { id: string; base: string } | null,
): Promise<RunPlace | null> {
  const trees = await parts.app.subagents.worktrees();
  if (resume !== null) {
    const { id, base } = resume;
    const again = await trees.reopen(id, { branch: `pi/${id}`, base, stat: "", folder: null });
    if (again === null) return null;
    const place = await placeOf(parts, trees, again);
    // A kill may have cut off the taking of a change, which is still on its worker's branch.
    await place.clean();
    return place;
  }
  const made = await trees.make(`run-${parts.spec.slice(0, MOST_NAME)}-${randomWord(5)}`);
  if ("reason" in made)
    throw new PiError({
      code: "run_no_copy",
      message: `A run needs a copy of the project to work on, and there can be none: ${made.reason}`,
      ...(/no git repository/.test(made.reason)
        ? { hint: "git init makes a repository; then run it again." }
        : {}),
    });
  return await placeOf(parts, trees, made);
}

async function placeOf(
  parts: RunPlaceParts,
  trees: GitWorktrees,
  copy: AgentWorktree,
): Promise<RunPlace & { clean(): Promise<void> }> {
  const { agents, worktrees: inner, over } = await parts.app.subagents.at(copy.id, copy.cwd);
  const { git, worktrees: folder } = await trees.repository();
  /** Git inside of a worktree, which is not asked where its repository is. */
  const inside = ({ id, folder: top }: Pick<AgentWorktree, "id" | "folder">): RepoGit => {
    const owner = readOwner(folder, id);
    if (owner === null) throw new PiError({ code: "run_no_copy", message: `the copy ${top} is gone` });
    return git.with(top, { GIT_DIR: owner.gitFolder, GIT_WORK_TREE: top });
  };
  const own = inside(copy);
  /** Takes away what is in no commit, but for what git ignores. */
  const clean = async (where: AgentWorktree) => {
    const there = inside(where);
    await there.run(["reset", "--quiet", "--hard", "HEAD"]);
    await there.run(["clean", "-f", "-d", "--quiet"]);
  };
  /** Runs a command, which is to look and not to change: what it leaves behind goes. */
  const prove = async (where: AgentWorktree, command: string, signal: AbortSignal) => {
    try {
      return await confinedCommand(parts, { folder: where.cwd, command, signal, limitMs: parts.gateMs });
    } finally {
      await clean(where);
    }
  };
  /** A worktree whose work is elsewhere by now goes, with the ignored files in it (what was installed or built). */
  const forget = async (from: GitWorktrees, id: string, joined: JoinedChange) => {
    if ((joined.outcome === "joined" || joined.outcome === "nothing") && existsSync(join(folder, id)))
      await from.drop(id);
    return joined;
  };
  return {
    id: copy.id,
    branch: copy.branch,
    base: copy.base,
    notes: copy.notes,
    resumes: parts.app.session.folder !== null,
    clean: () => clean(copy),
    close: over,
    head: () => own.text(["rev-parse", "HEAD"]),
    start: (request) => agents.start(request),
    async command(worker, command, signal) {
      if (worker === null) return await prove(copy, command, signal);
      const place = worker.change === null ? null : await inner.reopen(worker.id, worker.change);
      if (place === null)
        throw new PiError({ code: "run_no_copy", message: `what ${worker.id} changed is gone` });
      try {
        return await prove(place, command, signal);
      } finally {
        await inner.keep(place, "");
      }
    },
    async take(worker) {
      const joined = await forget(inner, worker, await inner.merge(worker));
      const agent = agents.get(worker);
      // It is in the copy now, and on no branch of its own.
      if (agent !== undefined && (joined.outcome === "joined" || joined.outcome === "nothing"))
        agent.change = null;
      return joined;
    },
    async rescue(worker): Promise<AgentChange | null> {
      const left = (await trees.left()).find(({ id }) => id === worker);
      if (left === undefined || left.busy || left.base === null) return null;
      return await trees.keep({ id: worker, base: left.base }, "");
    },
    async diff() {
      const range = ["--no-ext-diff", "--no-textconv", copy.base, "HEAD"];
      const [stat, text] = await Promise.all([
        own.text(["diff", "--stat=100", ...range]),
        own.text(["diff", ...range]),
      ]);
      return { stat, text: bounded(text, MOST_DIFF), leftOut: Math.max(0, text.length - MOST_DIFF) };
    },
    keep: () => trees.keep(copy, ""),
    async deliver() {
      const ref = `refs/heads/${copy.branch}`;
      const tip = await git.text(["rev-parse", ref]);
      const tree = await git.text(["rev-parse", `${tip}^{tree}`]);
      await git.run(["update-ref", ref, await git.commit(tree, [tip], parts.commitMessage()), tip]);
      const merged = await merge(trees, copy.id);
      if (merged.outcome !== "refused") return { ...(await forget(trees, copy.id, merged)), committed: true };
      // Their own uncommitted changes are in the way of a commit; into the files it may fit all the same.
      const applied = await forget(trees, copy.id, await trees.apply(copy.id));
      return { ...applied, committed: false };
    },
  };
}

/** A merge that git cannot make (no name to commit with, say) is refused, not the end of the run. */
async function merge(trees: GitWorktrees, id: string): Promise<JoinedChange> {
  try {
    return await trees.merge(id);
  } catch (thrown) {
    return { outcome: "refused", message: errorMessage(thrown), files: [] };
  }
}
