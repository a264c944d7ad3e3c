import { join, sep } from "node:path";
import { errorMessage } from "../../contract/errors.ts";
import type { JoinedChange } from "../../contract/subagents.ts";
import { decode, fieldsOf, type RepoGit } from "./repo-git.ts";
import { type Repository, treeState } from "./repository.ts";

const MOST_NAMED = 20;

/** What stands around the writing of the user's files (absolute paths): it keeps what they were like. */
export type AroundWriting = <T>(files: readonly string[], write: () => Promise<T>) => Promise<T>;

/**
 * Brings a subagent's change into the user's files: a merge in three ways, made beside them, whose outcome is then written as one patch,
 * whole or not at all. Nothing is committed or staged. A clash changes nothing.
 */
export async function applyChange(
  repository: Repository,
  id: string,
  base: string,
  around: AroundWriting,
): Promise<JoinedChange> {
  const { git, worktrees } = repository;
  const now = await treeState(git, worktrees);
  const merged = await mergeTrees(git, base, now.tree, id);
  if ("outcome" in merged) return merged;
  const patch = await patchBetween(git, now.tree, merged.tree);
  if (patch.files.length === 0) return nothing(id);
  const written = await around(absolute(repository, patch.files), () =>
    git.run(["apply", "--whitespace=nowarn", "-"], { stdin: patch.bytes, okCodes: [0, 1, 128] }),
  );
  if (written.code !== 0) return cannotWrite(id, written.stderr);
  return {
    outcome: "joined",
    message: `The change of ${id} is in the project now, not committed: ${list(patch.files)}.`,
    files: patch.files,
  };
}

/**
 * The same as one commit on the branch that is checked out. Only where the files that it changes have no uncommitted changes; all other
 * work of the user stays as it is, staged or not.
 */
export async function mergeChange(
  repository: Repository,
  id: string,
  base: string,
  around: AroundWriting,
): Promise<JoinedChange> {
  const { git } = repository;
  const head = await git.find("HEAD^{commit}");
  if (head === null)
    return refused(`This repository has no commit yet, so that ${id} cannot be merged: apply it.`);
  const merged = await mergeTrees(git, base, await git.text(["rev-parse", `${head}^{tree}`]), id);
  if ("outcome" in merged) return merged;
  const patch = await patchBetween(git, head, merged.tree);
  if (patch.files.length === 0) return nothing(id);
  const subject = await git.text(["log", "-1", "--format=%B", `refs/heads/pi/${id}`]);
  const message = `${subject.trim()}\n`;
  // In a copy of ours it is no commit of the user's, who need not have told git a name.
  const commit = repository.top.startsWith(repository.worktrees + sep)
    ? await git.commit(merged.tree, [head], message)
    : await git.text(["commit-tree", merged.tree, "-p", head], { stdin: new TextEncoder().encode(message) });
  // Index and files together, checked before either is touched.
  const write = (...words: string[]) =>
    git.run(["apply", "--index", "--whitespace=nowarn", ...words, "-"], {
      stdin: patch.bytes,
      okCodes: [0, 1, 128],
    });
  const written = await around(absolute(repository, patch.files), () => write());
  if (written.code !== 0) return cannotMerge(id, written.stderr);
  try {
    await git.run(["update-ref", "-m", `pi: merge of ${id}`, "HEAD", commit, head]);
  } catch (thrown) {
    // Somebody else holds the branch, or has committed meanwhile: half a merge would be in the way of the next attempt.
    const back = await write("--reverse");
    const now = back.code === 0 ? "nothing was changed" : "its change is in your files and staged";
    return refused(`${id} could not be merged (${now}): ${errorMessage(thrown).slice(0, 500)}`);
  }
  return {
    outcome: "joined",
    message: `The change of ${id} is commit ${commit.slice(0, 10)} now: ${list(patch.files)}.`,
    files: patch.files,
  };
}

/** A merge of the user's tree and the branch, from what the branch began with; nothing but objects is written. */
async function mergeTrees(
  git: RepoGit,
  base: string,
  tree: string,
  id: string,
): Promise<{ tree: string } | JoinedChange> {
  const ours = await git.commit(tree, [base], "pi: the project now\n");
  const answer = await git.run(
    ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, `refs/heads/pi/${id}`],
    {
      okCodes: [0, 1, 129],
    },
  );
  if (answer.code === 129)
    return refused(`The git on this machine is too old to bring in ${id} safely (2.38 or later is needed).`);
  const [merged = "", ...names] = fieldsOf(answer.stdout);
  if (answer.code === 0) return { tree: merged.trim() || decode(answer.stdout).trim() };
  const files = [...new Set(names.filter((name) => name !== ""))];
  return {
    outcome: "conflict",
    message: `The change of ${id} clashes with the project as it is now, so nothing was changed: ${list(files)}. It stays on the branch pi/${id}.`,
    files,
  };
}

function absolute({ top }: Repository, files: readonly string[]): string[] {
  return files.map((file) => join(top, file));
}

/** Nothing that the user's settings make of a diff: it is for a program. */
const PLAIN = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none"];

async function patchBetween(git: RepoGit, from: string, to: string) {
  const [diff, names] = await Promise.all([
    git.run(["diff-tree", "-r", "-p", "--binary", "--full-index", ...PLAIN, from, to]),
    git.run(["diff-tree", "-r", "--name-only", "-z", ...PLAIN, from, to]),
  ]);
  return { bytes: diff.stdout, files: fieldsOf(names.stdout) };
}

function nothing(id: string): JoinedChange {
  return { outcome: "nothing", message: `The project holds the change of ${id} already.`, files: [] };
}

function cannotMerge(id: string, stderr: string): JoinedChange {
  const words = stderr.trim().slice(0, 500).replace(/\.$/, "");
  if (/does not apply|does not match index|already exists in/.test(stderr))
    return refused(
      `${id} cannot be merged, because files that it changes have uncommitted changes here (nothing was changed): ${words}. Commit yours first, or apply its change.`,
    );
  return refused(
    `${id} could not be merged (nothing was changed): ${words}. It stays on the branch pi/${id}.`,
  );
}

function cannotWrite(id: string, stderr: string): JoinedChange {
  return refused(
    `The change of ${id} could not be written (nothing was changed): ${stderr.trim().slice(0, 500)}. It stays on the branch pi/${id}.`,
  );
}

function refused(message: string): JoinedChange {
  return { outcome: "refused", message, files: [] };
}

function list(files: readonly string[]): string {
  const more = files.length - MOST_NAMED;
  return files.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
