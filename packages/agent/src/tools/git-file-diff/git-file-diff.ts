import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { whyEmpty } from "../shared/git/file-diff.ts";
import { FILE_DIFF_ALIASES, FILE_DIFF_INPUT, type FileDiffInput } from "../shared/git/file-input.ts";
import { openFileDiff } from "../shared/git/open-file-diff.ts";
import { empty, found } from "../shared/outcome.ts";
import { byteLength, count, headOf, humanSize } from "../shared/truncate.ts";
import { gitFileDiffPrompt } from "./git-file-diff.prompt.ts";

const MAX_BYTES = 50 * 1024;
const CONTEXT_LINES = 3;

/** The unified diff of one file. */
export const gitFileDiffTool: ToolDefinition<FileDiffInput> = {
  name: "git-file-diff",
  kind: "inspect",
  description: gitFileDiffPrompt,
  input: FILE_DIFF_INPUT,
  aliases: FILE_DIFF_ALIASES,
  run,
};

async function run(input: FileDiffInput, context: ToolContext): Promise<ToolOutcome> {
  const opened = await openFileDiff(input, CONTEXT_LINES, context);
  if ("outcome" in opened) return opened.outcome;
  const { diff } = opened;
  const staged = input.staged === true;
  if (diff.text === "") return empty(whyEmpty(diff, staged), { file: diff.path, staged, state: diff.state });
  const bytes = byteLength(diff.text);
  const shown = headOf(diff.text, MAX_BYTES);
  const cut = shown.length < diff.text.length;
  const notes = [
    ...(diff.state === "untracked" ? [`(${diff.path} is not tracked by git: shown as a new file)`] : []),
    ...(cut
      ? [
          `[cut: ${humanSize(byteLength(shown))} of ${humanSize(bytes)}, ${count(shown.split("\n").length)} of ${count(diff.text.split("\n").length)} lines; read the file, or git-hunk for its hunks]`,
        ]
      : []),
  ];
  return found([shown, ...notes].join("\n"), {
    file: diff.path,
    staged,
    state: diff.state,
    bytes,
    truncated: cut,
  });
}
