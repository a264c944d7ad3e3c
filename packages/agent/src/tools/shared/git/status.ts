import type { Git } from "./run-git.ts";

/** One changed file of `git status`. `code` is one letter: M A D R C T U (unmerged). */
export interface ChangedFile {
  path: string;
  code: string;
  /** For a rename or copy: the old name. */
  from?: string;
  submodule: boolean;
}

/** The work tree's state below the project folder; paths are relative to the project folder. */
export interface Status {
  branch: string | null;
  commit: string | null;
  upstream?: string;
  ahead?: number;
  behind?: number;
  staged: ChangedFile[];
  unstaged: ChangedFile[];
  unmerged: ChangedFile[];
  untracked: string[];
}

/**
 * Reads the status below the project folder. Submodules are listed when their commit moved; their insides are not looked at,
 * because git would obey their own configuration there.
 */
export async function readStatus(git: Git): Promise<Status> {
  const prefix = (await git.text(["rev-parse", "--show-prefix"])).replace(/\n$/, "");
  const output = await git.text([
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=normal",
    "--ignore-submodules=dirty",
    "--find-renames",
    "--",
    ".",
  ]);
  return parseStatus(output, prefix);
}

function parseStatus(output: string, prefix: string): Status {
  const status: Status = {
    branch: null,
    commit: null,
    staged: [],
    unstaged: [],
    unmerged: [],
    untracked: [],
  };
  const relative = (path: string) =>
    path.startsWith(prefix) ? path.slice(prefix.length) : `(repository)/${path}`;
  const fields = output.split("\0");
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    if (field.startsWith("# ")) readHeader(field.slice(2), status);
    else if (field.startsWith("? ")) status.untracked.push(relative(field.slice(2)));
    else if (field.startsWith("u ")) {
      const path = relative(skipWords(field, 10));
      status.unmerged.push({ path, code: "U", submodule: isSubmodule(field) });
    } else if (field.startsWith("1 ")) addChange(field, relative(skipWords(field, 8)), undefined, status);
    else if (field.startsWith("2 "))
      addChange(field, relative(skipWords(field, 9)), relative(fields[++index] ?? ""), status);
  }
  return status;
}

function readHeader(line: string, status: Status): void {
  const [key, ...values] = line.split(" ");
  const value = values.join(" ");
  if (key === "branch.oid" && value !== "(initial)") status.commit = value;
  if (key === "branch.head" && value !== "(detached)") status.branch = value;
  if (key === "branch.upstream") status.upstream = value;
  const counts = key === "branch.ab" ? /^\+(\d+) -(\d+)$/.exec(value) : null;
  if (counts) {
    status.ahead = Number(counts[1]);
    status.behind = Number(counts[2]);
  }
}

function addChange(field: string, path: string, from: string | undefined, status: Status): void {
  const submodule = isSubmodule(field);
  const staged = field[2]!;
  const unstaged = field[3]!;
  const renamed = (code: string) => from !== undefined && (code === "R" || code === "C");
  if (staged !== ".")
    status.staged.push({ path, code: staged, submodule, ...(renamed(staged) ? { from } : {}) });
  if (unstaged !== ".")
    status.unstaged.push({ path, code: unstaged, submodule, ...(renamed(unstaged) ? { from } : {}) });
}

function isSubmodule(field: string): boolean {
  return field.split(" ", 3)[2]?.startsWith("S") === true;
}

/** What follows the first `count` space-separated words: a path, which may hold spaces itself. */
function skipWords(field: string, count: number): string {
  let start = 0;
  for (let word = 0; word < count; word++) start = field.indexOf(" ", start) + 1;
  return field.slice(start);
}
