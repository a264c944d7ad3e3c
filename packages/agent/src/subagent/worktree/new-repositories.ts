import { fieldsOf, type RepoGit } from "./repo-git.ts";

/** Whether repositories inside of the work tree came in between two states: a commit holds only their names. */
export async function hasNewRepositories(git: RepoGit, from: string, to: string): Promise<boolean> {
  const words = ["diff-tree", "-r", "--raw", "--no-renames", "--ignore-submodules=none", "-z", from, to];
  return fieldsOf((await git.run(words)).stdout).some((field) => /^:\d+ 160000 /.test(field));
}
