import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FoundRepository } from "./find-repository.ts";
import type { Git } from "./git-program.ts";
import { kindOf, readSmallFile } from "./small-file.ts";

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Where the main line is, the surest first. A branch without a past of its own (`gh-pages`) must not change the answer. */
const MAIN_LINES = ["refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master", "refs/heads/trunk"];

/** Whether a repository has a branch with a commit. Unknown kinds of ref storage count as having one. */
export async function hasCommits({ gitDir, commonDir }: FoundRepository): Promise<boolean> {
  if ((await kindOf(join(commonDir, "reftable"))) === "folder") return true;
  const head = (await readSmallFile(join(gitDir, "HEAD")))?.trim() ?? "";
  if (OBJECT_ID.test(head)) return true;
  const packed = (await readSmallFile(join(commonDir, "packed-refs"))) ?? "";
  if (/^[0-9a-f]{40,64} refs\/(?:heads|remotes)\//m.test(packed)) return true;
  // A packed file that is too long to read is full of refs.
  if (packed === "" && (await kindOf(join(commonDir, "packed-refs"))) === "file") return true;
  return (
    (await holdsFile(join(commonDir, "refs", "heads"), 8)) ||
    (await holdsFile(join(commonDir, "refs", "remotes"), 8))
  );
}

async function holdsFile(folder: string, depth: number): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (
      entry.isFile() ||
      (depth > 0 && entry.isDirectory() && (await holdsFile(join(folder, entry.name), depth - 1)))
    )
      return true;
  return false;
}

export async function isShallow(commonDir: string): Promise<boolean> {
  return (await kindOf(join(commonDir, "shallow"))) === "file";
}

/** Whether a repository holds this commit, whichever branch it is on, or on none. False also when git did not answer in time. */
export async function holdsCommit(git: Git, commit: string, timeoutMs: number): Promise<boolean> {
  return OBJECT_ID.test(commit) && (await git(["cat-file", "-e", `${commit}^{commit}`], timeoutMs)) !== null;
}

/** The oldest commit of the main line by its first parents; undefined when it cannot be told in time. */
export async function rootCommit(git: Git, remaining: () => number): Promise<string | undefined> {
  const listed = await git(["for-each-ref", "--format=%(refname)", ...MAIN_LINES], remaining());
  const known = new Set(listed?.split("\n"));
  const line = MAIN_LINES.find((name) => known.has(name)) ?? "HEAD";
  const found = await git(["rev-list", "--first-parent", "--max-parents=0", line, "--"], remaining());
  const commit = found?.trim() ?? "";
  return OBJECT_ID.test(commit) ? commit : undefined;
}

/** Whether git follows a file in this folder (relative to the working tree, `/`-separated) of the repository. */
export async function tracks(git: Git, root: string, folder: string, timeoutMs: number): Promise<boolean> {
  const listed = await git(
    [`--work-tree=${root}`, "-C", root, "ls-files", "--cached", "-z", "--", `${folder}/`],
    timeoutMs,
  );
  return listed !== null && listed !== "";
}
