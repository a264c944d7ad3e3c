import type { JsonObject } from "../../contract/json.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import type { FileDiff } from "../shared/git/file-diff.ts";
import { fileDiffTool } from "../shared/git/file-diff-tool.ts";
import { empty, found } from "../shared/outcome.ts";
import { byteLength, headOf } from "../shared/truncate.ts";
import { gitHunkPrompt } from "./git-hunk.prompt.ts";
import { type Hunk, parseHunks } from "./parse-hunks.ts";

const MAX_BYTES = 50 * 1024;

const none = { hunks: [], total_hunks: 0 };

/** The hunks of one file's diff. */
export const gitHunkTool = fileDiffTool({ name: "git-hunk", description: gitHunkPrompt, none, show });

function show(diff: FileDiff, details: JsonObject): ToolOutcome {
  const hunks = parseHunks(diff.text);
  if (hunks.length === 0) {
    const said = headOf(diff.text, 2_000).trim();
    return empty(`${diff.path} changed, but without text hunks:\n${said}`, { ...details, ...none });
  }
  const { text, shown } = describe(diff.path, hunks);
  return found(text, {
    ...details,
    total_hunks: hunks.length,
    truncated: shown.length < hunks.length,
    hunks: shown.map((hunk) => ({ ...hunk })),
  });
}

function describe(path: string, hunks: readonly Hunk[]): { text: string; shown: Hunk[] } {
  const added = hunks.reduce((sum, hunk) => sum + hunk.added, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed, 0);
  const sections = [
    `${path}: ${hunks.length === 1 ? "1 hunk" : `${hunks.length} hunks`}, +${added} -${removed}`,
  ];
  const shown: Hunk[] = [];
  let left = MAX_BYTES;
  for (const [index, hunk] of hunks.entries()) {
    const section = `[${index + 1}] ${hunk.header} (+${hunk.added} -${hunk.removed})\n${hunk.content}`;
    left -= byteLength(section);
    if (left < 0) break;
    sections.push(section);
    shown.push(hunk);
  }
  if (shown.length < hunks.length)
    sections.push(`[cut: ${shown.length} of ${hunks.length} hunks; read the file for the rest]`);
  return { text: sections.join("\n"), shown };
}
