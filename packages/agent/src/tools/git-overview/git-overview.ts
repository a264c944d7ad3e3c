import type { JsonObject, JsonSchema } from "../../contract/json.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { printName } from "../shared/git/file-names.ts";
import { gitFailure } from "../shared/git/git-failure.ts";
import { type Git, openGit } from "../shared/git/run-git.ts";
import { type ChangedFile, readStatus, type Status } from "../shared/git/status.ts";
import { found } from "../shared/outcome.ts";
import { clipLine } from "../shared/truncate.ts";
import { gitOverviewPrompt } from "./git-overview.prompt.ts";

const MAX_FILES = 100;
const MAX_COMMITS = 10;
const input = { type: "object", properties: {} } as const satisfies JsonSchema;

/** Branch, recent commits and changed files below the project folder. */
export const gitOverviewTool: ToolDefinition = {
  name: "git-overview",
  kind: "inspect",
  description: gitOverviewPrompt,
  input,
  run,
};

async function run(_input: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  try {
    const git = await openGit(context);
    const status = await readStatus(git);
    const commits = status.commit === null ? [] : await readCommits(git);
    return found(describe(status, commits), details(status, commits));
  } catch (error) {
    return gitFailure(error);
  }
}

async function readCommits(git: Git): Promise<string[]> {
  const words = ["log", `-${MAX_COMMITS}`, "-z", "--no-show-signature", "--no-color", "--format=%h %s"];
  return (await git.text(words)).split("\0").filter((line) => line !== "");
}

function describe(status: Status, commits: readonly string[]): string {
  const lines = [`branch: ${status.branch ?? `none (detached at ${status.commit?.slice(0, 10)})`}`];
  if (status.upstream !== undefined)
    lines.push(`upstream: ${status.upstream}, ahead ${status.ahead ?? "?"}, behind ${status.behind ?? "?"}`);
  lines.push(commits.length === 0 ? "commits: none yet" : `commits (newest ${commits.length}):`);
  for (const commit of commits) lines.push(`  ${clipLine(commit, 200)}`);
  if (status.unmerged.length > 0) section(lines, "unmerged", status.unmerged.map(describeChange));
  section(lines, "staged", status.staged.map(describeChange));
  section(lines, "unstaged", status.unstaged.map(describeChange));
  section(lines, "untracked", status.untracked.map(printName));
  const submodules = [...status.staged, ...status.unstaged].some((file) => file.submodule);
  if (submodules) lines.push("changes inside submodules were not looked at");
  return lines.join("\n");
}

function section(lines: string[], title: string, entries: readonly string[]): void {
  lines.push(entries.length === 0 ? `${title}: none` : `${title} (${entries.length}):`);
  for (const entry of entries.slice(0, MAX_FILES)) lines.push(`  ${entry}`);
  if (entries.length > MAX_FILES)
    lines.push(`  … ${entries.length - MAX_FILES} more; for all: bash git status --short`);
}

function describeChange(file: ChangedFile): string {
  const name =
    file.from === undefined ? printName(file.path) : `${printName(file.from)} -> ${printName(file.path)}`;
  return `${file.code} ${name}${file.submodule ? " (submodule)" : ""}`;
}

function details(status: Status, commits: readonly string[]): JsonObject {
  const files = (changes: readonly ChangedFile[]) =>
    changes.slice(0, MAX_FILES).map((file) => ({ path: file.path, code: file.code }));
  return {
    branch: status.branch,
    upstream: status.upstream ?? null,
    ahead: status.ahead ?? null,
    behind: status.behind ?? null,
    commits: [...commits],
    staged: files([...status.staged, ...status.unmerged]),
    unstaged: files(status.unstaged),
    untracked: status.untracked.slice(0, MAX_FILES),
    totals: {
      staged: status.staged.length + status.unmerged.length,
      unstaged: status.unstaged.length,
      untracked: status.untracked.length,
    },
  };
}
