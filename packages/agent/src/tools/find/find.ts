import { errorMessage, isPiError } from "../../contract/errors.ts";
import type { JsonSchema } from "../../contract/json.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { empty, failed, failureOf, found, notLooked } from "../shared/outcome.ts";
import { printableName } from "../shared/printable-name.ts";
import { fileGlob } from "../shared/search/glob.ts";
import { type FindRipgrep, ripgrepFor } from "../shared/search/ripgrep.ts";
import { openSearchRoot, type SearchRoot } from "../shared/search/search-root.ts";
import { skippedNotes } from "../shared/search/skipped-note.ts";
import { findPrompt } from "./find.prompt.ts";
import { type FileListing, listBuiltIn, listWithRipgrep } from "./list-files.ts";

const MAX_FILES = 500;

interface FindInput {
  pattern: string;
  path?: string;
  all?: boolean;
}

const input = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "glob" },
    path: { type: "string", description: "folder" },
    all: { type: "boolean", description: "ignored files too" },
  },
  required: ["pattern"],
} as const satisfies JsonSchema;

/** Finds files by name with ripgrep's walk, or with the built-in one where there is no ripgrep. */
export function createFindTool(findRipgrep: FindRipgrep): ToolDefinition<FindInput> {
  return {
    name: "find",
    kind: "inspect",
    description: findPrompt,
    input,
    aliases: { glob: "pattern", folder: "path", file_path: "path" },
    run: (given, context) => run(given, context, findRipgrep),
  };
}

async function run(given: FindInput, context: ToolContext, findRipgrep: FindRipgrep): Promise<ToolOutcome> {
  if (given.pattern.trim() === "") return failed('the pattern is empty\nuse "*" for all files');
  let root: SearchRoot;
  try {
    root = await openSearchRoot(given.path, context);
  } catch (error) {
    return failureOf(error);
  }
  if (root.kind === "file")
    return failed(`${root.path} is a file\ngive the folder to search in, or read the file`);
  try {
    const wanted = fileGlob(given.pattern, root, context).matches;
    const all = given.all === true || root.ignored;
    const program = await ripgrepFor(root, findRipgrep);
    const listing =
      program === null
        ? await listBuiltIn(root, all, context, wanted)
        : await listWithRipgrep(program, root, all, context, wanted);
    if (context.signal.aborted) return failed("the search was interrupted; nothing is known of the rest");
    return describe(given, root, listing);
  } catch (error) {
    if (isPiError(error)) return failureOf(error);
    return failed(`the search failed: ${errorMessage(error)}`);
  }
}

function describe(given: FindInput, root: SearchRoot, listing: FileListing): ToolOutcome {
  const where = root.path === "." ? "the project" : root.path;
  const skipped = skippedNotes({ ...listing, secret: 0 });
  if (listing.files.length === 0) {
    const build = listing.unreadable.length > 0 ? notLooked : empty;
    return build([`no file matches ${given.pattern} in ${where}`, ...skipped].join("\n"), {
      files: [],
      total_files: 0,
    });
  }
  const total = listing.files.length;
  const shown = listing.files.slice(0, MAX_FILES);
  const head =
    shown.length < total
      ? [
          `${formatCount(shown.length)} of ${formatCount(total)} files (first by path); narrow by path or pattern for the rest`,
        ]
      : [];
  const unseen = skippedNotes({ ignored: [], ignoredCount: 0, secret: 0, unreadable: listing.unreadable });
  return found([...head, ...shown.map(printableName), ...unseen].join("\n"), {
    files: shown,
    total_files: total,
    truncated: shown.length < total,
  });
}
