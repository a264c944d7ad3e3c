import { formatCount } from "../../platform/format-count.ts";
import { isProgramError } from "../error-line.ts";
import type { Stage } from "../stage.ts";

const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|flake\.lock)$|\.(?:min\.(?:js|css)|map|snap|svg|pb\.go|lock)$|(?:^|\/)(?:dist|vendor|node_modules|__snapshots__)\//;
const GENERATED_LINES = 20;

/** Cuts long hunks in their middle, and those of generated files to almost nothing, with counts of what was there. */
export const diffsStage: Stage = {
  name: "diffs",
  lossless: false,
  run(lines, { limits, kinds }) {
    const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (!kinds.has("diff") || chars <= limits.dataChars) return undefined;
    const kept: string[] = [];
    let left = 0;
    let file = "";
    for (let at = 0; at < lines.length; ) {
      const line = lines[at]!;
      file = /^(?:diff --git a\/.* b\/|\+\+\+ b\/)(.*)$/.exec(line)?.[1] ?? file;
      kept.push(line);
      at++;
      if (!/^(?:\[\d+\] )?@@ /.test(line)) continue;
      let end = at;
      while (end < lines.length && /^[ +\-\\]|^$/.test(lines[end]!) && !isFileHeader(lines, end)) end++;
      const hunk = lines.slice(at, end);
      const limit = GENERATED.test(file) ? GENERATED_LINES : limits.hunkLines;
      const cut = cutHunk(hunk, limit);
      left += hunk.length - cut.length + (cut.length < hunk.length ? 1 : 0);
      kept.push(...cut);
      at = end;
    }
    if (left === 0) return undefined;
    return {
      lines: kept,
      leftOut: [{ count: left, one: "line of long hunks", many: "lines of long hunks" }],
    };
  },
};

function isFileHeader(lines: readonly string[], at: number): boolean {
  return /^--- /.test(lines[at]!) && /^\+\+\+ /.test(lines[at + 1] ?? "");
}

function cutHunk(hunk: readonly string[], limit: number): string[] {
  if (hunk.length <= limit + 4) return [...hunk];
  const head = Math.ceil((limit * 3) / 4);
  const tail = limit - head;
  const middle = hunk.slice(head, hunk.length - tail);
  const added = middle.filter((line) => line.startsWith("+")).length;
  const removed = middle.filter((line) => line.startsWith("-")).length;
  const said = middle.filter((line) => isProgramError(line));
  return [
    ...hunk.slice(0, head),
    `[${formatCount(middle.length)} lines of this hunk left out here: +${formatCount(added)} -${formatCount(removed)}]`,
    ...said,
    ...hunk.slice(hunk.length - tail),
  ];
}
