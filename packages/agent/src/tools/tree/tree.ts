import type { XStatic } from "typebox/schema";
import { isPiError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { nearPaths } from "../shared/near-paths.ts";
import { empty, failed, failureOf, found } from "../shared/outcome.ts";
import { drawTree } from "./draw-tree.ts";
import { scanTree, type TreeScan } from "./scan-tree.ts";
import { treePrompt } from "./tree.prompt.ts";

type Input = XStatic<typeof treePrompt.input>;

const DEFAULT_DEPTH = 3;
const MAX_DEPTH = 10;
const MAX_ENTRIES = 500;

/** `tree`: folders and files below a folder, with a fair share for each folder where not all can be shown. */
export const treeTool: ToolDefinition<Input> = {
  ...treePrompt,
  kind: "inspect",
  aliases: { file_path: "path", dir: "path", directory: "path", folder: "path", max_depth: "depth" },
  async run(input, context) {
    const path = input.path || ".";
    const depth = Math.min(input.depth ?? DEFAULT_DEPTH, MAX_DEPTH);
    if (depth < 1) return failed(`depth ${depth} shows nothing: give 1 to ${MAX_DEPTH}.`);
    let scan: TreeScan;
    try {
      scan = await scanTree(context.files, path, depth, context.signal);
    } catch (thrown) {
      if (!isPiError(thrown)) throw thrown;
      const outcome = failureOf(thrown);
      if (thrown.code === "file_missing") outcome.text += `\n${nearPaths(context.files, path)}`;
      return outcome;
    }
    const asked = input.depth ?? DEFAULT_DEPTH;
    return report(scan, context.files.display(path), depth, asked > MAX_DEPTH);
  },
};

function report(scan: TreeScan, path: string, depth: number, clamped: boolean): ToolOutcome {
  const total = scan.folders + scan.files;
  const details: JsonObject = { path, depth, dirs: scan.folders, files: scan.files };
  if (scan.unreadable > 0) details["unreadable"] = scan.unreadable;
  if (total === 0) return empty(`${path} is an empty folder.`, details);
  const drawing = drawTree(scan.root, MAX_ENTRIES);
  const cut = drawing.shown < total || !scan.complete;
  details["truncated"] = cut;
  const least = scan.complete ? "" : "at least ";
  const notes: string[] = [];
  if (cut)
    notes.push(
      `${formatCount(drawing.shown)} of ${least}${formatCount(total)} entries, a fair share of each folder; give a path below, or use find, for the rest`,
    );
  notes.push(
    `${least}${plural(scan.folders, "folder")}, ${least}${plural(scan.files, "file")} down to depth ${depth}${clamped ? " (the most)" : ""}`,
  );
  if (scan.unreadable > 0) notes.push(`${plural(scan.unreadable, "folder")} unreadable`);
  return found(`${path}/\n${drawing.lines.join("\n")}\n[${notes.join("; ")}]`, details);
}

function plural(value: number, word: string): string {
  return `${formatCount(value)} ${value === 1 ? word : `${word}s`}`;
}
