import type { ToolContext } from "../../../contract/tool.ts";
import { bytesOfShownName, decodeUtf8 } from "../../../platform/utf8.ts";
import type { Git, GitWord } from "./run-git.ts";
import { readStatus } from "./status.ts";

/** The diff of one file, and why it is what it is. */
export interface FileDiff {
  path: string;
  /** Unified diff; empty when there is none. */
  text: string;
  state: "changed" | "untracked" | "unchanged" | "other_side" | "missing" | "folder" | "not_watched";
  /** For a rename: the old name. */
  from?: string;
  /** For a folder: how many changed files are in it. */
  inside?: number;
}

const OPTIONS = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--find-renames",
  "--ignore-submodules=dirty",
  // The other forms run git inside of the submodule, which obeys the settings there.
  "--submodule=short",
];

/** Reads the staged or unstaged diff of one file, with its old name after a rename; an untracked file is shown as new. */
export async function readFileDiff(
  git: Git,
  asked: string,
  staged: boolean,
  contextLines: number,
  context: ToolContext,
): Promise<FileDiff> {
  const status = await readStatus(git);
  const { path, word } = await gitName(git, asked);
  const side = staged ? status.staged : status.unstaged;
  const from = side.find((file) => file.path === path)?.from;
  const paths = from === undefined ? [path] : [from, path];
  const pathWords = from === undefined ? [word] : [(await gitName(git, from)).word, word];
  const options = [...OPTIONS, `--unified=${contextLines}`, "--relative", ...(staged ? ["--cached"] : [])];
  const named = await git.text(["diff", "--name-only", "-z", ...options, "--", ...pathWords]);
  const inside = named.split("\0").filter((name) => name !== "" && !paths.includes(name));
  // A folder (also one that is gone): its files must each be asked for, since one of them may be a secret one.
  if (inside.length > 0) return { path, text: "", state: "folder", inside: inside.length };
  const text = await git.text(["diff", ...options, "--", ...pathWords]);
  if (text !== "") return { path, text, state: "changed", ...(from === undefined ? {} : { from }) };
  const otherSide = staged ? status.unstaged : status.staged;
  if (otherSide.some((file) => file.path === path)) return { path, text, state: "other_side" };
  const exists = context.files.exists(path);
  const tracked = await git.text(["ls-files", "-v", "-z", "--", word]);
  if (tracked.slice(2) === `${path}\0`)
    return { path, text, state: /^[a-zS]/.test(tracked) ? "not_watched" : "unchanged" };
  if (tracked !== "" || (exists && context.files.stat(path).kind === "folder"))
    return { path, text, state: "folder", inside: 0 };
  if (!exists) return { path, text, state: "missing" };
  if (staged) return { path, text, state: "untracked" };
  const created = await git.text(
    ["diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--", "/dev/null", word],
    { okCodes: [0, 1] },
  );
  return { path, text: created, state: "untracked" };
}

/** A name as git prints it and as git takes it: one that is no UTF-8 is asked for by its bytes. */
async function gitName(git: Git, asked: string): Promise<{ path: string; word: GitWord }> {
  const bytes = bytesOfShownName(asked);
  if (bytes === null) return { path: asked, word: asked };
  // A file may really be called by the characters that stand for a byte elsewhere.
  const literal = await git.text(["ls-files", "--cached", "--others", "-z", "--", asked]);
  return literal === "" ? { path: decodeUtf8(bytes).text, word: bytes } : { path: asked, word: asked };
}

/** A sentence for a diff that is empty: which of the reasons it is. */
export function whyEmpty(diff: FileDiff, staged: boolean): string {
  switch (diff.state) {
    case "other_side":
      return staged
        ? `nothing of ${diff.path} is staged; it has unstaged changes (staged: false)`
        : `${diff.path} has no unstaged changes; it has staged ones (staged: true)`;
    case "untracked":
      return `${diff.path} is not tracked by git, so nothing of it is staged`;
    case "folder":
      return `${diff.path} is a folder, in which ${diff.inside === 1 ? "1 tracked file has" : `${diff.inside || "no"} tracked files have`} ${staged ? "staged" : "unstaged"} changes; name one file (git-overview lists them)`;
    case "not_watched":
      return `git does not look at ${diff.path}: it is marked assume-unchanged or skip-worktree (a sparse checkout) in the index`;
    case "missing":
      return `${diff.path} does not exist and git does not know it`;
    default:
      return `${diff.path} has no ${staged ? "staged" : "unstaged"} changes`;
  }
}
