import type { CommitPorts, CommitResult, StagedFile } from "../../../commands/slash/shared/commit-port.ts";
import { isPiError, PiError } from "../../../contract/errors.ts";
import type { ToolContext } from "../../../contract/tool.ts";
import { childEnvironment } from "../../../platform/child-environment.ts";
import { type Git, openGit } from "../../../tools/shared/git/run-git.ts";
import type { App } from "../../app.ts";

/** Hooks may run a whole test suite. Milliseconds. */
const COMMIT_PATIENCE_MS = 30 * 60_000;
const MOST_DIFF_BYTES = 2 * 1024 * 1024;

const CHANGES: Readonly<Record<string, StagedFile["change"]>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type changed",
};

/** git for `/commit`: reading runs nothing that the repository asks for; committing is the person's own and runs their hooks. */
export function gitPort(app: () => App): CommitPorts["git"] {
  return {
    async staged(signal) {
      const context = toolContext(app(), signal);
      let git: Git;
      try {
        git = await openGit(context);
      } catch (thrown) {
        if (isPiError(thrown) && thrown.code === "git_no_repository") return null;
        throw thrown;
      }
      const conflicts = names(await git.text(["diff", "--name-only", "--diff-filter=U", "-z"]));
      const files = conflicts.length > 0 ? [] : await stagedFiles(git);
      const secret = files.filter(({ path, from }) => isSecret(context, path) || isSecret(context, from));
      // Git takes the name of a file for all that is below it, too: `x` was removed, `x/.env` is new.
      const shown = files.filter(
        (file) => !secret.includes(file) && !secret.some(({ path }) => path.startsWith(`${file.path}/`)),
      );
      const diff = shown.length === 0 ? "" : await stagedDiff(git, shown);
      return {
        tree: conflicts.length > 0 ? "" : (await git.text(["write-tree"])).trim(),
        files,
        diff,
        conflicts,
        unstaged: names(await git.text(["status", "--porcelain", "-z"])).filter((row) => row[1] !== " ")
          .length,
      };
    },
    commit: (message, tree) => commit(app(), message, tree),
    stageKnown: () => stageKnown(app()),
  };
}

function toolContext(app: App, signal: AbortSignal): ToolContext {
  return { ...app.doors, model: app.options.model, callId: "", signal, progress: () => undefined };
}

function names(text: string): string[] {
  return text.split("\0").filter((name) => name !== "");
}

function isSecret(context: ToolContext, path: string | undefined): boolean {
  return path !== undefined && context.files.isSecret(path);
}

async function stagedFiles(git: Git): Promise<StagedFile[]> {
  const words = ["diff", "--cached", "--find-renames", "-z"];
  const rows = names(await git.text([...words, "--name-status"]));
  const counts = lineCounts(names(await git.text([...words, "--numstat"])));
  const files: StagedFile[] = [];
  for (let index = 0; index < rows.length; ) {
    const letter = rows[index++]![0]!;
    const from = letter === "R" || letter === "C" ? rows[index++] : undefined;
    const path = rows[index++] ?? "";
    const [added, removed] = counts.get(path) ?? [null, null];
    const change = CHANGES[letter] ?? "modified";
    files.push({ change, path, added, removed, ...(from === undefined ? {} : { from }) });
  }
  return files;
}

/** `12\t3\tpath`, or for a rename `12\t3\t` and then both names; `-` stands for what is not text. */
function lineCounts(rows: readonly string[]): Map<string, [number | null, number | null]> {
  const counts = new Map<string, [number | null, number | null]>();
  const left = [...rows];
  for (let row = left.shift(); row !== undefined; row = left.shift()) {
    const [added = "", removed = "", path = ""] = row.split("\t");
    const name = path === "" ? left.splice(0, 2)[1] : path;
    const number = (text: string) => (text === "-" ? null : Number(text));
    if (name !== undefined) counts.set(name, [number(added), number(removed)]);
  }
  return counts;
}

async function stagedDiff(git: Git, files: readonly StagedFile[]): Promise<string> {
  // Names are from the top of the repository, and git takes them from the folder that we are in.
  const top = (await git.text(["rev-parse", "--show-cdup"])).replace(/\n$/, "");
  const paths = files
    .flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))
    .map((path) => top + path);
  const words = ["diff", "--cached", "--find-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--"];
  const text = await git.text([...words, ...paths]);
  return text.length > MOST_DIFF_BYTES ? text.slice(0, MOST_DIFF_BYTES) : text;
}

/** The person's git with their own settings and hooks, as if they had typed it. */
async function commit(app: App, message: string, tree: string): Promise<CommitResult> {
  const cwd = app.doors.cwd;
  const git = (words: string[]) =>
    app.processes.run(
      {
        argv: ["git", ...words],
        cwd,
        label: `git ${words[0]}`,
        stdin: "ignore",
        env: identityOf(process.env),
      },
      { timeoutMs: COMMIT_PATIENCE_MS },
    );
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  const now = await git(["write-tree"]);
  if (now.code !== 0 || text(now.stdout) !== tree) return { state: "changed" };
  const made = await git(["commit", "--message", message]);
  const output = [text(made.stdout), text(made.stderr)].filter((part) => part !== "").join("\n");
  if (made.code !== 0) return { state: "failed", output: output || "git commit did not end" };
  const id = text((await git(["rev-parse", "--short", "HEAD"])).stdout);
  const branch = text((await git(["branch", "--show-current"])).stdout);
  // Git itself speaks on stdout; what its hooks say it sends to stderr.
  const hooks = text(made.stderr);
  return { state: "done", id, ...(branch === "" ? {} : { branch }), ...(hooks === "" ? {} : { hooks }) };
}

/** As if the person had typed it. */
async function stageKnown({ doors, processes }: App): Promise<void> {
  const { code, stderr } = await processes.run(
    { argv: ["git", "add", "--update", ":/"], cwd: doors.cwd, label: "git add", stdin: "ignore" },
    { timeoutMs: COMMIT_PATIENCE_MS },
  );
  if (code === 0) return;
  throw new PiError({
    code: "git_failed",
    message: `git add failed: ${new TextDecoder().decode(stderr).trim()}`,
  });
}

/** What signs and names a commit; none of it is a secret of ours. */
function identityOf(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const wanted = /^(GIT_(AUTHOR|COMMITTER)_|SSH_AUTH_SOCK$|GPG_)/;
  return Object.fromEntries(
    Object.entries(childEnvironment(environment)).filter(([name]) => wanted.test(name)),
  );
}
