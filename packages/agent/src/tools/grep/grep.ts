import { errorMessage } from "../../contract/errors.ts";
import type { JsonSchema } from "../../contract/json.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { empty, failed, failureOf, found, notLooked, refused } from "../shared/outcome.ts";
import { printableName } from "../shared/printable-name.ts";
import { fileGlob } from "../shared/search/glob.ts";
import { IgnoreRules } from "../shared/search/ignore-rules.ts";
import { isMultiline, preparePattern } from "../shared/search/pattern.ts";
import { type FindRipgrep, ripgrepFor } from "../shared/search/ripgrep.ts";
import { openSearchRoot } from "../shared/search/search-root.ts";
import { skippedNotes } from "../shared/search/skipped-note.ts";
import { searchBuiltIn } from "./built-in-engine.ts";
import { grepPrompt } from "./grep.prompt.ts";
import { searchWithRipgrep } from "./ripgrep-engine.ts";
import type { SearchJob, SearchResult } from "./search-job.ts";
import { keepsBack, type Match, MatchTally } from "./tally.ts";

const MAX_MATCHES = 200;
/** How long the built-in engine may be busy with one file. */
const PATIENCE_MS = 5_000;

interface GrepInput {
  pattern: string;
  path?: string;
  glob?: string;
  ignore_case?: boolean;
  literal?: boolean;
  all?: boolean;
}

const input = {
  type: "object",
  properties: {
    pattern: { type: "string" },
    path: { type: "string", description: "file or folder" },
    glob: { type: "string", description: "only files like *.ts or src/**/*.ts" },
    ignore_case: { type: "boolean" },
    literal: { type: "boolean", description: "pattern is plain text" },
    all: { type: "boolean", description: "ignored files too" },
  },
  required: ["pattern"],
} as const satisfies JsonSchema;

/**
 * Searches file contents with ripgrep, or with the built-in engine where there is none, which gives a file up after
 * `patienceMs` (default 5,000).
 */
export function createGrepTool(
  findRipgrep: FindRipgrep,
  options: { patienceMs?: number } = {},
): ToolDefinition<GrepInput> {
  const engines = { findRipgrep, patienceMs: options.patienceMs ?? PATIENCE_MS };
  return {
    name: "grep",
    kind: "inspect",
    description: grepPrompt,
    input,
    aliases: { file_path: "path", include: "glob", case_insensitive: "ignore_case" },
    run: (given, context) => run(given, context, engines),
  };
}

async function run(
  given: GrepInput,
  context: ToolContext,
  engines: { findRipgrep: FindRipgrep; patienceMs: number },
): Promise<ToolOutcome> {
  if (given.pattern.includes("\0"))
    return failed("the pattern has a NUL character, which text files do not hold");
  if (given.pattern === "") return failed("the pattern is empty\nuse find or ls to list files");
  let job: SearchJob;
  try {
    const root = await openSearchRoot(given.path, context);
    if (root.kind === "file" && context.files.isSecret(root.path))
      return refused(`${root.path} is on the list of secret files; its contents are not shown`);
    const glob = given.glob === undefined ? undefined : fileGlob(given.glob, root, context);
    const all = given.all === true || root.ignored;
    // ripgrep takes a file that a glob names although it is ignored.
    const rules = all || (glob === undefined && !root.standsAlone) ? null : await IgnoreRules.open(context);
    const isWanted = (file: string) =>
      rules === null || root.kind === "file" || !rules.ignoresAnyParent(file, false);
    job = {
      pattern: preparePattern(given.pattern, {
        literal: given.literal === true,
        ignoreCase: given.ignore_case === true,
      }),
      literal: given.literal === true,
      ignoreCase: given.ignore_case === true,
      multiline: given.literal !== true && isMultiline(given.pattern),
      glob,
      all,
      root,
      tally: new MatchTally(MAX_MATCHES, (file) => keepsBack(file, root.path, context), isWanted),
    };
  } catch (error) {
    return failureOf(error);
  }
  try {
    const program = await ripgrepFor(job.root, engines.findRipgrep);
    const result =
      program === null
        ? await searchBuiltIn(job, context, engines.patienceMs)
        : await searchWithRipgrep(program, job, context);
    return describe(given, job, result, context);
  } catch (error) {
    return failed(`the search failed: ${errorMessage(error)}`);
  }
}

function describe(given: GrepInput, job: SearchJob, result: SearchResult, context: ToolContext): ToolOutcome {
  if (context.signal.aborted) return failed("the search was interrupted; nothing is known of the rest");
  if (result.invalid !== undefined)
    return failed(
      `not a valid regular expression: ${given.pattern}\n${result.invalid}\nfor plain text: literal: true`,
      { pattern: given.pattern },
    );
  if (result.unsupported !== undefined)
    return { ...notLooked(result.unsupported, { pattern: given.pattern }), isError: true };
  const { tally } = job;
  const notes = [...job.pattern.notes, ...binaryNotes(job, result)];
  const skipped = skippedNotes({ ...result, secret: tally.secret });
  const where = `${job.root.path === "." ? "the project" : job.root.path}${given.glob === undefined ? "" : `, files ${given.glob}`}`;
  if (tally.total === 0) {
    const text = [`0 matches in ${where}`, ...notes, ...skipped].join("\n");
    const inBinary = result.cutAtNul.length > 0 || result.binary === null || (result.binary ?? []).length > 0;
    const build = tally.secret > 0 || result.unreadable.length > 0 || inBinary ? notLooked : empty;
    return build(text, { matches: [], total_matches: 0 });
  }
  const shown = tally.shown();
  const cut = shown.length < tally.total;
  const head = cut
    ? `${formatCount(shown.length)} of ${formatCount(tally.total)} matches in ${formatCount(tally.fileCount)} files (first by path, spread over files); narrow by path, glob or pattern for the rest`
    : `${formatCount(tally.total)} ${tally.total === 1 ? "match" : "matches"} in ${formatCount(tally.fileCount)} ${tally.fileCount === 1 ? "file" : "files"}`;
  const unseen = skippedNotes({
    ignored: [],
    ignoredCount: 0,
    secret: tally.secret,
    unreadable: result.unreadable,
  });
  return found([head, ...notes, ...listing(shown), ...unseen].join("\n"), {
    matches: shown.map((match) => ({ file: match.file, line: match.line, content: match.text })),
    total_matches: tally.total,
    truncated: cut,
  });
}

function binaryNotes({ root }: SearchJob, { cutAtNul, binary }: SearchResult): string[] {
  const notes: string[] = [];
  const rest =
    root.kind === "file"
      ? "grep -a in bash searches all of it"
      : "give such a file as path to search all of it";
  if (cutAtNul.length > 0)
    notes.push(`binary from some place on and searched only up to there: ${sample(cutAtNul)}; ${rest}`);
  if (binary === null) notes.push("binary files were not searched: it takes too long");
  else if (binary !== undefined && binary.length > 0)
    notes.push(
      `binary files that match, whose lines are not shown: ${formatCount(binary.length)} (${sample(binary)}); ${rest}`,
    );
  return notes;
}

function sample(files: readonly string[]): string {
  return `${files.slice(0, 5).map(printableName).join(", ")}${files.length > 5 ? ", …" : ""}`;
}

/** Matches grouped by file: the name once, then its lines. */
function listing(matches: readonly Match[]): string[] {
  const lines: string[] = [];
  let file = "";
  for (const match of matches) {
    if (match.file !== file) lines.push(printableName(match.file));
    file = match.file;
    lines.push(`  ${match.line}: ${match.text}`);
  }
  return lines;
}
