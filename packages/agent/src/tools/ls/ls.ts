import type { XStatic } from "typebox/schema";
import { isPiError } from "../../contract/errors.ts";
import type { FolderEntry } from "../../contract/files.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { nearPaths } from "../shared/near-paths.ts";
import { empty, failureOf, found } from "../shared/outcome.ts";
import { printableName } from "../shared/printable-name.ts";
import { clipLine, humanSize } from "../shared/truncate.ts";
import { lsPrompt } from "./ls.prompt.ts";

type Input = XStatic<typeof lsPrompt.input>;

const MAX_ENTRIES = 500;
/** A name has at most 255 bytes; a link's target may have 4,096. */
const MAX_LINE_BYTES = 600;

/** `ls`: what one folder holds, in byte order of the names. */
export const lsTool: ToolDefinition<Input> = {
  ...lsPrompt,
  kind: "inspect",
  aliases: { file_path: "path", dir: "path", directory: "path", folder: "path" },
  async run(input, context) {
    const path = input.path || ".";
    try {
      return list(path, context);
    } catch (thrown) {
      const outcome = failureOf(thrown);
      const code = isPiError(thrown) ? thrown.code : "";
      if (code === "file_missing") outcome.text += `\n${nearPaths(context.files, path)}`;
      if (code === "file_not_folder") outcome.text += "\nUse read to see its contents.";
      return outcome;
    }
  },
};

function list(path: string, context: ToolContext): ToolOutcome {
  const shown = context.files.display(path);
  const entries = entriesOf(path, context);
  const details = {
    path: shown,
    total: entries.length,
    truncated: entries.length > MAX_ENTRIES,
    entries: entries.slice(0, MAX_ENTRIES).map((entry) => ({
      name: entry.name,
      is_dir: entry.kind === "folder",
      size: entry.size,
    })),
  };
  if (entries.length === 0) return empty(`${shown} is an empty folder.`, details);
  const lines = entries.slice(0, MAX_ENTRIES).map(line);
  if (entries.length > MAX_ENTRIES)
    lines.push(
      `[${MAX_ENTRIES} of ${formatCount(entries.length)} entries, first by name; use find with a pattern for the rest]`,
    );
  return found(lines.join("\n"), details);
}

/** All entries; where only some are shown only these get sizes, since a folder may hold hundreds of thousands. */
function entriesOf(path: string, { files }: ToolContext): FolderEntry[] {
  const entries = files.list(path, { sizes: false });
  if (entries.length <= MAX_ENTRIES) return files.list(path);
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    if (entry.kind !== "file") continue;
    try {
      entry.size = files.stat(`${path}/${entry.name}`).size;
    } catch {
      // Vanished meanwhile: listed without its size.
    }
  }
  return entries;
}

function line(entry: FolderEntry): string {
  const name = printableName(entry.name);
  if (entry.kind === "folder") return `${name}/`;
  if (entry.kind === "link")
    return clipLine(`${name} -> ${printableName(entry.target ?? "?")}`, MAX_LINE_BYTES);
  if (entry.kind === "other") return `${name} (device, socket or FIFO)`;
  return `${name}  ${humanSize(entry.size)}`;
}
