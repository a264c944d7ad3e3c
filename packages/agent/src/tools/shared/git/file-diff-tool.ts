import type { JsonObject } from "../../../contract/json.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../../contract/tool.ts";
import { empty, failed, refused } from "../outcome.ts";
import { type FileDiff, readFileDiff, whyEmpty } from "./file-diff.ts";
import { parseName } from "./file-names.ts";
import { gitFailure } from "./git-failure.ts";
import { openGit } from "./run-git.ts";

const CONTEXT_LINES = 3;

/** The input of the tools that look at one file's diff. */
interface FileDiffInput {
  file: string;
  staged?: boolean;
}

/**
 * A tool that looks at one file's diff. `show` gets a diff that is not empty, and the details that every outcome carries;
 * `none` are the tool's own details where there is no diff.
 */
export function fileDiffTool(tool: {
  name: string;
  description: string;
  none?: JsonObject;
  show: (diff: FileDiff, details: JsonObject) => ToolOutcome;
}): ToolDefinition<FileDiffInput> {
  return {
    name: tool.name,
    kind: "inspect",
    description: tool.description,
    input: {
      type: "object",
      properties: { file: { type: "string" }, staged: { type: "boolean" } },
      required: ["file"],
    },
    aliases: { file_path: "file", path: "file" },
    async run(input, context) {
      const opened = await openFileDiff(input, context);
      if ("outcome" in opened) return opened.outcome;
      const { diff } = opened;
      const staged = input.staged === true;
      const details = { file: diff.path, staged, state: diff.state };
      if (diff.text === "") return empty(whyEmpty(diff, staged), { ...details, ...tool.none });
      return tool.show(diff, details);
    },
  };
}

/** The diff that a call asks for, or the outcome that says why there is none: outside, secret, unknown, no repository. */
async function openFileDiff(
  input: FileDiffInput,
  context: ToolContext,
): Promise<{ diff: FileDiff } | { outcome: ToolOutcome }> {
  const name = parseName(input.file, context);
  try {
    if (context.files.isSecret(name))
      return { outcome: refused(`${name} is on the list of secret files; its contents are not shown`) };
    const path = projectPath(name, context);
    const git = await openGit(context);
    const diff = await readFileDiff(git, path, input.staged === true, CONTEXT_LINES, context);
    if (diff.from !== undefined && context.files.isSecret(diff.from))
      return { outcome: refused(`${diff.from} is on the list of secret files; its contents are not shown`) };
    if (diff.state === "folder" && diff.inside !== 0)
      return { outcome: failed(whyEmpty(diff, input.staged === true), { file: diff.path }) };
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
