import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isPiError, PiError } from "../../contract/errors.ts";
import { AGENT_WORKTREES } from "../../contract/subagents.ts";
import { randomHex } from "../../platform/random.ts";
import { type GitParts, RepoGit } from "./repo-git.ts";

/** A repository that worktrees can be made of. */
export interface Repository {
  git: RepoGit;
  /** The top of the work tree that the caller works in. */
  top: string;
  /** The caller's folder below the top: "" or "a/b". */
  prefix: string;
  /** Where worktrees of subagents lie: in the git folder, so that nobody's status shows them. */
  worktrees: string;
}

/** How the names of our own indexes begin. */
const INDEX = "index-";
/** No work with an index takes that long, in milliseconds. */
const OLD_INDEX_MS = 3_600_000;

/** The repository of a folder, or why there can be no worktree. Rejects when git itself fails. */
export async function openRepository(parts: GitParts, cwd: string): Promise<Repository | { reason: string }> {
  const here = new RepoGit(parts, cwd);
  try {
    const found = await here.run(
      ["rev-parse", "--is-inside-work-tree", "--show-toplevel", "--git-common-dir", "--show-prefix"],
      { okCodes: [0, 128] },
    );
    const [inside, top, common, prefix = ""] = new TextDecoder().decode(found.stdout).split("\n");
    if (found.code !== 0 || inside !== "true" || !top || !common)
      return { reason: reasonIn(found.stderr, inside === "false") };
    const git = new RepoGit(parts, top);
    return {
      git,
      top,
      prefix: prefix.replace(/\/$/, ""),
      worktrees: join(resolve(cwd, common), AGENT_WORKTREES),
    };
  } catch (thrown) {
    if (isPiError(thrown) && thrown.code === "git_missing") return { reason: thrown.message };
    throw thrown;
  }
}

function reasonIn(stderr: string, bare: boolean): string {
  if (bare || /must be run in a work tree|bare repository/.test(stderr))
    return "this repository has no work tree here";
  if (/dubious ownership/.test(stderr))
    return "git refuses this repository, because it belongs to somebody else";
  return "this is no git repository";
}

/** The state of a work tree as a tree object, with what is not committed and not ignored. */
export interface TreeState {
  tree: string;
  /** The commit it stands on; null in a repository without one. */
  head: string | null;
  /** What git could not read: files and folders that nobody may open, repositories without a commit. */
  unread: readonly string[];
}

/**
 * Reads a whole work tree into a tree object by an index of its own: the user's index, files, stash and branches are not touched, and no
 * hook runs. `indexFile` is the real index, which says what has not changed.
 */
export async function treeState(git: RepoGit, worktrees: string): Promise<TreeState> {
  mkdirSync(worktrees, { recursive: true, mode: 0o700 });
  const indexFile = resolve(git.folder, await git.text(["rev-parse", "--git-path", "index"]));
  const own = join(worktrees, `${INDEX}${randomHex(6)}`);
  const aside = git.with(git.folder, { GIT_INDEX_FILE: own });
  try {
    if (existsSync(indexFile)) copyFileSync(indexFile, own);
    const unread = await addAll(aside);
    const [tree, head] = await Promise.all([aside.text(["write-tree"]), git.find("HEAD^{commit}")]);
    return { tree, head, unread };
  } finally {
    for (const left of [own, `${own}.lock`]) rmSync(left, { force: true });
  }
}

/** One file that cannot be read must not keep all others out; gives the names of those. */
async function addAll(git: RepoGit): Promise<string[]> {
  // What a sparse checkout leaves out may be there all the same.
  const words = ["add", "--all", "--ignore-errors"];
  let added = await git.run([...words, "--sparse"], { okCodes: [0, 1, 129] });
  // Git knows the word since 2.34.
  if (added.code === 129) added = await git.run(words, { okCodes: [0, 1] });
  const names = [...added.stderr.matchAll(UNREAD)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  if (added.code === 0 || names.length > 0) return names;
  throw new PiError({
    code: "git_failed",
    message: `git add failed: ${added.stderr.trim().slice(0, 1_000)}`,
  });
}

const UNREAD =
  /^(?:error: unable to index file '(.+)'|error: '(.+)' does not have a commit checked out|warning: could not open directory '(.+)': .*)$/gm;

/** Removes indexes that a killed process has left. */
export function removeOldIndexes(worktrees: string, now: number): void {
  for (const name of existsSync(worktrees) ? readdirSync(worktrees) : []) {
    const file = join(worktrees, name);
    const old = now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) > OLD_INDEX_MS;
    if (name.startsWith(INDEX) && old) rmSync(file, { force: true });
  }
}
