import { isPiError } from "../contract/errors.ts";
import type { FileDoor } from "../contract/files.ts";
import type { ProcessDoor } from "../contract/process.ts";
import type { ToolContext } from "../contract/tool.ts";
import type { CommittedFile, ProjectChanges, ProjectLook } from "../session/checkpoint/project-changes.ts";
import { type Git, openGit } from "../tools/shared/git/run-git.ts";

/** A `git status` that takes longer is not asked for again: a command of the model must not wait for it each time. */
const MOST_STATUS_MS = 1_500;
/** Outside of git: a project with more files than this is not looked through. */
const MOST_SMALL = 1_000;
/** Folders that hold no work of a project. */
const SKIPPED = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  ".pi-go",
  ".venv",
  "venv",
  "target",
  "dist",
  ".cache",
]);

export interface ProjectChangesParts {
  files: FileDoor;
  processes: ProcessDoor;
  onProblem(message: string): void;
}

/** Asks git which files differ from the last commit; in a small project without git, every file is one that might change. */
export function projectChanges({ files, processes, onProblem }: ProjectChangesParts): ProjectChanges {
  let slow = false;
  let known: string | undefined;
  const prefix = async (git: Git): Promise<string> => {
    known ??= (await git.text(["rev-parse", "--show-prefix"])).replace(/\n$/, "");
    return known;
  };
  // openGit uses no more of a context than this
  const context = { cwd: files.root, files, processes, signal: new AbortController().signal } as ToolContext;

  return {
    async look() {
      if (slow) return null;
      const startedAt = performance.now();
      try {
        const git = await openGit(context);
        return await statusOf(git, await prefix(git));
      } catch (thrown) {
        return isPiError(thrown) && ["git_no_repository", "git_missing"].includes(thrown.code)
          ? smallProject(files)
          : null;
      } finally {
        if (performance.now() - startedAt > MOST_STATUS_MS && !slow) {
          slow = true;
          onProblem(
            "git status takes long in this project: from now on /rewind covers what edit and write change, and of commands only changes to files that the model has read",
          );
        }
      }
    },
    async movedBetween(before, after) {
      if (before.commit === null || after.commit === null) return [];
      try {
        const git = await openGit(context);
        return names(
          await git.text([
            "diff",
            "--name-only",
            "--no-renames",
            "--relative",
            "-z",
            before.commit,
            after.commit,
          ]),
        );
      } catch {
        // a commit that is gone, an interrupted git: these files are not covered
        return [];
      }
    },
    async committed({ commit }, paths) {
      if (commit === null || paths.length === 0) return new Map();
      try {
        const git = await openGit(context);
        const top = await prefix(git);
        const found = new Map<string, CommittedFile>();
        for (const row of names(await git.text(["ls-tree", "-z", "-r", commit, "--", ...paths]))) {
          const path = row.slice(row.indexOf("\t") + 1);
          const file = files.isSecret(path)
            ? ({ kind: "unkept", why: "it is on the list of secret files" } as const)
            : await committedFile(git, row.slice(0, 6), `${commit}:${top}${path}`);
          found.set(path, file);
        }
        return found;
      } catch {
        // a commit that is gone, an interrupted git
        return null;
      }
    },
  };
}

async function statusOf(git: Git, prefix: string): Promise<ProjectLook> {
  const words = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"];
  const rows = names(await git.text([...words, "--ignore-submodules=all", "--", "."]));
  const commit = rows.find((row) => row.startsWith("# branch.oid "))?.slice("# branch.oid ".length) ?? "";
  const paths = rows.flatMap((row) => {
    const path = pathOf(row);
    return path?.startsWith(prefix) ? [path.slice(prefix.length)] : [];
  });
  return { commit: /^[0-9a-f]+$/.test(commit) ? commit : null, paths };
}

/** The path in a row of the status, from the top of the repository; undefined for a header. */
function pathOf(row: string): string | undefined {
  // What comes before a path in each kind of row: words, each with a space.
  const words = { "1": 8, u: 10, "?": 1 }[row[0] ?? ""];
  return words === undefined ? undefined : row.split(" ").slice(words).join(" ");
}

async function committedFile(git: Git, mode: string, name: string): Promise<CommittedFile> {
  try {
    if (mode === "120000") return { kind: "link", target: await git.text(["cat-file", "blob", name]) };
    if (mode !== "100644" && mode !== "100755") return { kind: "unkept", why: "it is a submodule" };
    // As it lies in the work tree: with its line ends.
    const { stdout } = await git.run(["cat-file", "--filters", name]);
    return { kind: "file", bytes: stdout, executable: mode === "100755" };
  } catch {
    return { kind: "unkept", why: "git could not give it" };
  }
}

/** Names that are no UTF-8 are left out: as text they would name another file. */
function names(text: string): string[] {
  return text.split("\0").filter((name) => name !== "" && !/\\x[0-9a-f]{2}/.test(name));
}

/** Every file of a small project; null for a larger one. */
function smallProject(files: FileDoor): ProjectLook | null {
  const paths: string[] = [];
  const folders = ["."];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    let entries: ReturnType<FileDoor["list"]>;
    try {
      entries = files.list(folder, { sizes: false });
    } catch {
      // not ours to enter, or gone
      continue;
    }
    for (const { name, kind } of entries) {
      const path = folder === "." ? name : `${folder}/${name}`;
      if (kind === "folder" && !SKIPPED.has(name)) folders.push(path);
      else if (kind === "file" || kind === "link") paths.push(path);
    }
    if (paths.length + folders.length > MOST_SMALL) return null;
  }
  return { commit: null, paths };
}
