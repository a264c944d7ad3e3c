import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { failed, refused } from "../outcome.ts";
import { type FileDiff, readFileDiff } from "./file-diff.ts";
import type { FileDiffInput } from "./file-input.ts";
import { parseName } from "./file-names.ts";
import { gitFailure } from "./git-failure.ts";
import { openGit } from "./run-git.ts";

/** The diff that a call asks for, or the outcome that says why there is none: outside, secret, unknown, no repository. */
export async function openFileDiff(
  input: FileDiffInput,
  contextLines: number,
  context: ToolContext,
): Promise<{ diff: FileDiff } | { outcome: ToolOutcome }> {
  const name = parseName(input.file, context);
  try {
    if (context.files.isSecret(name))
      return { outcome: refused(`${name} is on the list of secret files; its contents are not shown`) };
    const path = projectPath(name, context);
    const git = await openGit(context);
    const diff = await readFileDiff(git, path, input.staged === true, contextLines, context);
    if (diff.from !== undefined && context.files.isSecret(diff.from))
      return { outcome: refused(`${diff.from} is on the list of secret files; its contents are not shown`) };
    if (diff.state === "missing")
      return {
        outcome: failed(
          `${path} does not exist and git does not know it\nsee git-overview for the changed files`,
        ),
      };
    return { diff };
  } catch (error) {
    return { outcome: gitFailure(error) };
  }
}

/** The name relative to the project folder; a deleted file cannot be resolved, so its spelling decides. Throws `file_outside`. */
function projectPath(name: string, context: ToolContext): string {
  const shown = context.files.display(name);
  // Throws for a name that leaves the project; a file that is gone is git's to find.
  if (context.files.exists(name)) context.files.stat(name);
  return shown;
}
