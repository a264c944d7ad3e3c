import type { JsonObject } from "../../contract/json.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import type { FileDiff } from "../shared/git/file-diff.ts";
import { fileDiffTool } from "../shared/git/file-diff-tool.ts";
import { found } from "../shared/outcome.ts";
import { byteLength, headOf, humanSize } from "../shared/truncate.ts";
import { gitFileDiffPrompt } from "./git-file-diff.prompt.ts";

const MAX_BYTES = 50 * 1024;

/** The unified diff of one file. */
export const gitFileDiffTool = fileDiffTool({ name: "git-file-diff", description: gitFileDiffPrompt, show });

function show(diff: FileDiff, details: JsonObject): ToolOutcome {
  const bytes = byteLength(diff.text);
  const shown = headOf(diff.text, MAX_BYTES);
  const cut = shown.length < diff.text.length;
  const notes = [
    ...(diff.state === "untracked" ? [`(${diff.path} is not tracked by git: shown as a new file)`] : []),
    ...(cut
      ? [
          `[cut: ${humanSize(byteLength(shown))} of ${humanSize(bytes)}, ${formatCount(shown.split("\n").length)} of ${formatCount(diff.text.split("\n").length)} lines; read the file, or git-hunk for its hunks]`,
        ]
      : []),
  ];
  return found([shown, ...notes].join("\n"), { ...details, bytes, truncated: cut });
}
