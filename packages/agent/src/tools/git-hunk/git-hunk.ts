import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { whyEmpty } from "../shared/git/file-diff.ts";
import { FILE_DIFF_ALIASES, FILE_DIFF_INPUT, type FileDiffInput } from "../shared/git/file-input.ts";
import { openFileDiff } from "../shared/git/open-file-diff.ts";
import { empty, found } from "../shared/outcome.ts";
import { byteLength, headOf } from "../shared/truncate.ts";
import { gitHunkPrompt } from "./git-hunk.prompt.ts";
import { type Hunk, parseHunks } from "./parse-hunks.ts";

const MAX_BYTES = 50 * 1024;
const CONTEXT_LINES = 3;

/** The hunks of one file's diff. */
export const gitHunkTool: ToolDefinition<FileDiffInput> = {
  name: "git-hunk",
  kind: "inspect",
  description: gitHunkPrompt,
  input: FILE_DIFF_INPUT,
  aliases: FILE_DIFF_ALIASES,
  run,
};

async function run(input: FileDiffInput, context: ToolContext): Promise<ToolOutcome> {
  const opened = await openFileDiff(input, CONTEXT_LINES, context);
  if ("outcome" in opened) return opened.outcome;
  const { diff } = opened;
  const staged = input.staged === true;
  const base = { file: diff.path, staged, state: diff.state };
  if (diff.text === "") return empty(whyEmpty(diff, staged), { ...base, hunks: [], total_hunks: 0 });
  const hunks = parseHunks(diff.text);
  if (hunks.length === 0)
    return empty(`${diff.path} changed, but without text hunks:\n${headOf(diff.text, 2_000).trim()}`, {
      ...base,
      hunks: [],
      total_hunks: 0,
    });
  const { text, shown } = describe(diff.path, hunks);
  return found(text, {
    ...base,
    total_hunks: hunks.length,
    truncated: shown.length < hunks.length,
    hunks: shown.map((hunk) => ({ ...hunk })),
  });
}

function describe(path: string, hunks: readonly Hunk[]): { text: string; shown: Hunk[] } {
  const added = hunks.reduce((sum, hunk) => sum + hunk.added, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed, 0);
  const sections = [`${path}: ${hunks.length} hunks, +${added} -${removed}`];
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
