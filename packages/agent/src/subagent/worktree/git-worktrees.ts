import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage, PiError, systemCode } from "../../contract/errors.ts";
import type { Clock } from "../../contract/services.ts";
import type { AgentChange, JoinedChange, LeftAgentWork } from "../../contract/subagents.ts";
import { withLock } from "../../platform/lock.ts";
import type { AgentWorktree, AgentWorktrees } from "./agent-worktrees.ts";
import { clearLocks } from "./clear-locks.ts";
import { discardWorktree } from "./discard-worktree.ts";
import type { AroundWriting } from "./join-change.ts";
import { hasNewRepositories } from "./new-repositories.ts";
import {
  ownedIds,
  ownerLives,
  readOwner,
  removeOwner,
  type WorktreeOwner,
  writeOwner,
} from "./owner-file.ts";
import type { GitParts, RepoGit } from "./repo-git.ts";
import { openRepository, type Repository, removeOldIndexes, treeState } from "./repository.ts";

/** Branches of subagents begin with this. */
const BRANCHES = "refs/heads/pi/";
/** Other processes make and remove worktrees of the same repository. */
const LOCK_WAIT_MS = 60_000;
const ID = /^[A-Za-z][A-Za-z0-9_-]{0,100}$/;

/** Work that is left, with the commit that it began with; null: nobody knows. */
export interface LeftWork extends LeftAgentWork {
  base: string | null;
}

export interface GitWorktreeParts extends GitParts {
  clock: Clock;
  cwd: string;
  /** Absent: nobody needs to know what is written. */
  around?: AroundWriting;
}

/** Worktrees of subagents in the git folder of the project's repository. */
export class GitWorktrees implements AgentWorktrees {
  readonly #parts: GitWorktreeParts;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: GitWorktreeParts) {
    this.#parts = parts;
  }

  async make(id: string): Promise<AgentWorktree | { reason: string }> {
    const repository = await openRepository(this.#parts, this.#parts.cwd);
    if ("reason" in repository) return repository;
    const closed = closedFolder(repository);
    if (closed !== null) return { reason: closed };
    return await this.#alone(repository, async () => {
      const { git, worktrees } = repository;
      const { tree, head, unread } = await treeState(git, worktrees);
      const base = await git.commit(tree, head === null ? [] : [head], `${SNAPSHOT}${id} began\n`);
      const made = await this.#checkOut(repository, id, base);
      const dirty = head === null || (await git.text(["rev-parse", `${head}^{tree}`])) !== tree;
      return { ...made, ...(await notesFor(git, { base, head, dirty, unread })) };
    });
  }

  async reopen(id: string, change: AgentChange): Promise<AgentWorktree | null> {
    const repository = await this.repository();
    const { git, prefix, worktrees } = repository;
    clearLocks(repository, id);
    if ((await git.find(BRANCHES + id)) === null) return null;
    const folder = join(worktrees, id);
    const facts = { id, branch: change.branch, base: change.base, notes: [], forAgent: [] };
    const owner = readOwner(worktrees, id);
    if (existsSync(folder) && owner?.ready) {
      writeOwner(worktrees, { id, base: change.base, gitFolder: owner.gitFolder, ready: true });
      return { ...facts, folder, cwd: join(folder, prefix) };
    }
    return await this.#alone(repository, async () => {
      if (owner !== null) await this.#removeUnready(repository, owner);
      return await this.#checkOut(repository, id, change.base);
    });
  }

  async keep({ id, base }: Pick<AgentWorktree, "id" | "base">, task: string): Promise<AgentChange | null> {
    const repository = await this.repository();
    return await this.#alone(repository, () => this.#keep(repository, id, base, task));
  }

  async apply(branchOrId: string): Promise<JoinedChange> {
    const { applyChange } = await import("./join-change.ts");
    return await this.#join(branchOrId, applyChange);
  }

  /** Puts the change of a subagent as one commit on the branch that is checked out. */
  async merge(branchOrId: string): Promise<JoinedChange> {
    const { mergeChange } = await import("./join-change.ts");
    return await this.#join(branchOrId, mergeChange);
  }

  /** Forgets the work of a subagent for good; gives the commit by which it can still be found for a while. */
  async drop(branchOrId: string): Promise<string | null> {
    const repository = await this.repository();
    const id = this.#id(branchOrId);
    return await this.#alone(repository, async () => {
      const { git, worktrees } = repository;
      const tip = await git.find(BRANCHES + id);
      await discardWorktree(repository, id);
      if (tip !== null) await git.run(["update-ref", "-d", BRANCHES + id, tip]);
      removeOwner(worktrees, id);
      return tip;
    });
  }

  /** All work that is on branches of subagents or in their worktrees. Empty where there is no repository. */
  async left(): Promise<LeftWork[]> {
    const repository = await openRepository(this.#parts, this.#parts.cwd);
    if ("reason" in repository) return [];
    const { git, worktrees } = repository;
    const refs = await git.text(["for-each-ref", "--format=%(refname)", BRANCHES]);
    const named = refs
      .split("\n")
      .filter((ref) => ref !== "")
      .map((ref) => ref.slice(BRANCHES.length));
    const ids = new Set([...named, ...ownedIds(worktrees)]);
    return await Promise.all([...ids].map((id) => this.#leftWork(repository, id)));
  }

  /** Removes worktrees of processes that are gone, where that is no loss. What is a loss stays and is counted. */
  async prune(): Promise<{ kept: number }> {
    const repository = await openRepository(this.#parts, this.#parts.cwd);
    if ("reason" in repository) return { kept: 0 };
    let kept = 0;
    for (const id of ownedIds(repository.worktrees)) {
      const owner = readOwner(repository.worktrees, id);
      if (owner === null || ownerLives(owner)) continue;
      clearLocks(repository, id);
      await this.#alone(repository, () => this.#removeUnready(repository, owner));
      const left = await this.#leftWork(repository, id);
      if (left.dirty || left.stat !== "") {
        kept++;
        await this.#alone(repository, () => this.#nameCommits(repository, id));
      } else await this.#alone(repository, () => this.#keep(repository, id, owner.base, ""));
    }
    removeOldIndexes(repository.worktrees, this.#parts.clock.now());
    return { kept };
  }

  /** Throws PiError `git_no_repository`. */
  async repository(): Promise<Repository> {
    const repository = await openRepository(this.#parts, this.#parts.cwd);
    if ("reason" in repository) throw new PiError({ code: "git_no_repository", message: repository.reason });
    return repository;
  }

  async #join(
    branchOrId: string,
    bringIn: (
      repository: Repository,
      id: string,
      base: string,
      around: AroundWriting,
    ) => Promise<JoinedChange>,
  ): Promise<JoinedChange> {
    const repository = await this.repository();
    const id = this.#id(branchOrId);
    return await this.#alone(repository, async () => {
      const { git, worktrees } = repository;
      const owner = readOwner(worktrees, id);
      if (owner !== null && existsSync(join(worktrees, id)) && !ownerLives(owner))
        await this.#keep(repository, id, owner.base, "");
      const tip = await git.find(BRANCHES + id);
      const base = tip === null ? null : await baseOf(git, id);
      if (tip === null || base === null)
        return {
          outcome: "refused" as const,
          message: `There is no change of "${id}" to bring in${tip === null ? ": it has no branch" : `: nothing says what pi/${id} began with`}.`,
          files: [],
        };
      const { around = (_, write) => write() } = this.#parts;
      const joined = await bringIn(repository, id, base, around);
      if (joined.outcome !== "joined" && joined.outcome !== "nothing") return joined;
      const folder = join(worktrees, id);
      if (existsSync(folder))
        return {
          ...joined,
          message: `${joined.message} Its worktree stays for what no branch holds: ${folder}`,
        };
      await git.run(["update-ref", "-d", BRANCHES + id, tip]);
      removeOwner(worktrees, id);
      return joined;
    });
  }

  /** Puts the branch of a worktree whose agent was killed where its commits are, so that they do not depend on the folder. */
  async #nameCommits(repository: Repository, id: string): Promise<void> {
    const owner = readOwner(repository.worktrees, id);
    if (owner === null || !existsSync(owner.gitFolder)) return;
    const theirs = repository.git.with(repository.top, { GIT_DIR: owner.gitFolder });
    const head = await theirs.find("HEAD^{commit}");
    const ref = BRANCHES + id;
    if (!head || (await repository.git.find(ref)) === head) return;
    const older = await repository.git.run(["merge-base", "--is-ancestor", ref, head], {
      okCodes: [0, 1, 128],
    });
    if (older.code === 0) await repository.git.run(["update-ref", ref, head]);
  }

  /** A worktree whose making was cut off holds no work, and must not be taken for one in which files were deleted. */
  async #removeUnready(repository: Repository, { id, ready }: WorktreeOwner): Promise<void> {
    if (!ready) await discardWorktree(repository, id);
  }

  #id(branchOrId: string): string {
    const id = branchOrId.replace(/^pi\//, "");
    if (ID.test(id)) return id;
    throw new PiError({ code: "agent_unknown", message: `"${id.slice(0, 100)}" is no id of a subagent` });
  }

  async #checkOut(repository: Repository, id: string, base: string): Promise<AgentWorktree> {
    const { git, worktrees, prefix } = repository;
    const folder = join(worktrees, id);
    const branch = `pi/${id}`;
    if ((await git.find("refs/heads/pi")) !== null)
      throw new PiError({
        code: "git_failed",
        message: `git cannot keep the branch ${branch} beside a branch that is called "pi"`,
        hint: "Rename that one: git branch -m pi NEW-NAME.",
      });
    // First, so that whatever a kill leaves behind has an owner that is known to be gone.
    writeOwner(worktrees, { id, base, gitFolder: join(dirname(worktrees), "worktrees", id), ready: false });
    if ((await git.find(BRANCHES + id)) === null) await git.run(["branch", "--no-track", branch, base]);
    // On no branch: a sandbox can then leave all branches of the repository alone.
    await git.run(["worktree", "add", "--quiet", "--detach", folder, branch]);
    const gitFolder = await git.with(folder, {}).text(["rev-parse", "--absolute-git-dir"]);
    writeOwner(worktrees, { id, base, gitFolder, ready: true });
    const cwd = join(folder, prefix);
    // A folder without any file that git keeps is not in the copy.
    mkdirSync(cwd, { recursive: true });
    return { id, folder, cwd, branch, base, notes: [], forAgent: [] };
  }

  async #keep(repository: Repository, id: string, base: string, task: string): Promise<AgentChange | null> {
    const { keepWorktree } = await import("./keep-worktree.ts");
    clearLocks(repository, id);
    const owner = readOwner(repository.worktrees, id);
    if (owner !== null && !ownerLives(owner)) await this.#removeUnready(repository, owner);
    if (!existsSync(join(repository.worktrees, id))) {
      // Somebody removed the folder: git still knows it, and what was committed there.
      await this.#nameCommits(repository, id);
      await discardWorktree(repository, id);
    }
    return await keepWorktree(repository, { id, base, task, inside: this.#inside(repository, id) });
  }

  /** Git for the worktree of an id; null when it is gone. */
  #inside({ git, worktrees }: Repository, id: string): RepoGit | null {
    const folder = join(worktrees, id);
    const owner: WorktreeOwner | null = readOwner(worktrees, id);
    if (!existsSync(folder) || owner === null) return null;
    return git.with(folder, { GIT_DIR: owner.gitFolder, GIT_WORK_TREE: folder });
  }

  async #leftWork(repository: Repository, id: string): Promise<LeftWork> {
    const { git, worktrees } = repository;
    const owner = readOwner(worktrees, id);
    const inside = this.#inside(repository, id);
    const base = owner?.base ?? (await baseOf(git, id));
    // While it works its commits are in the worktree alone.
    const tip = (await inside?.find("HEAD^{commit}")) ?? (await git.find(BRANCHES + id));
    let dirty = false;
    try {
      dirty = inside !== null && (await inside.text(["status", "--porcelain", "--ignored"])) !== "";
    } catch (thrown) {
      // a broken worktree is for a person to look at
      dirty = errorMessage(thrown) !== "";
    }
    const stat = base === null || tip === null ? "" : await git.text(["diff", "--stat=100", base, tip]);
    const busy = owner !== null && ownerLives(owner) && inside !== null;
    return { id, branch: `pi/${id}`, base, busy, folder: inside?.folder ?? null, dirty, stat };
  }

  /** One after the other in this process, and alone among all processes. */
  #alone<T>({ worktrees }: Repository, work: () => Promise<T>): Promise<T> {
    mkdirSync(worktrees, { recursive: true, mode: 0o700 });
    const mine = this.#turn.then(() =>
      withLock(`${worktrees}.lock`, work, { clock: this.#parts.clock, waitMs: LOCK_WAIT_MS }),
    );
    this.#turn = mine.catch(() => undefined);
    return mine;
  }
}

/** Why nothing can be made in the git folder (it is somebody else's, or mounted to be read only); null: it can. */
function closedFolder({ worktrees }: Repository): string | null {
  try {
    mkdirSync(worktrees, { recursive: true, mode: 0o700 });
    accessSync(worktrees, constants.W_OK);
    return null;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw thrown;
    return `nothing can be written into its git folder ${dirname(worktrees)} (${code})`;
  }
}

/** How the message of every snapshot begins. */
const SNAPSHOT = "pi: the project when ";

/** The snapshot that a branch began with: found by its message, so that no file beside it is needed. */
async function baseOf(git: RepoGit, id: string): Promise<string | null> {
  const found = await git.run(
    ["log", "-1", "--format=%H", "--fixed-strings", `--grep=${SNAPSHOT}`, BRANCHES + id, "--"],
    { okCodes: [0, 128] },
  );
  return new TextDecoder().decode(found.stdout).trim() || null;
}

/** Names of files that a note holds. */
const MOST_NAMED = 10;

async function notesFor(
  git: RepoGit,
  state: { base: string; head: string | null; dirty: boolean; unread: readonly string[] },
) {
  const { base, head, dirty, unread } = state;
  const found = await git.run([
    "ls-tree",
    "-r",
    "--name-only",
    "-z",
    base,
    "--",
    ".gitmodules",
    ".gitattributes",
  ]);
  const names = new TextDecoder().decode(found.stdout);
  const missing = ["files that git ignores (.env, node_modules, builds)"];
  if (names.includes(".gitmodules")) missing.push("the content of submodules");
  if (
    names.includes(".gitattributes") &&
    /filter=lfs/.test(await git.text(["show", `${base}:.gitattributes`]))
  )
    missing.push("the content of files in Git LFS (they are pointers)");
  if (dirty && head !== null && (await hasNewRepositories(git, head, base)))
    missing.push("the content of repositories inside of the project");
  if (unread.length > 0) {
    const more = unread.length > MOST_NAMED ? ` and ${unread.length - MOST_NAMED} more` : "";
    missing.push(`what git cannot read (${unread.slice(0, MOST_NAMED).join(", ")}${more})`);
  }
  const uncommitted = dirty ? " with what is not committed there" : "";
  return {
    notes: missing.length > 1 ? [`The worktree did not hold ${missing.slice(1).join(" and ")}.`] : [],
    forAgent: [
      `You work on a copy of the project${uncommitted}: a git worktree of your own. It does not hold ${missing.join(", ")}. Nothing outside of it is yours to change, branches, tags and the stash included: commit where you stand, on the detached HEAD. What you change is kept, committed or not.`,
    ],
  };
}
