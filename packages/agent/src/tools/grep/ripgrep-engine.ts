import type { ToolContext } from "../../contract/tool.ts";
import { decodeName } from "../shared/search/names.ts";
import { listIgnored, runRipgrep, unreadablePlaces, walkFlags } from "../shared/search/ripgrep.ts";
import { MatchReader } from "./match-reader.ts";
import type { SearchJob, SearchResult } from "./search-job.ts";

const FLAGS = [
  "--color=never",
  "--no-heading",
  "--with-filename",
  "--line-number",
  "--null",
  "--max-columns=500",
  "--max-columns-preview",
];

/** A binary file that is named is searched like text up to this size: its lines may be as long as the file, and are held in memory. */
const MAX_NAMED_BINARY = 20 * 1024 * 1024;
/** How long an empty search goes on in binary files. */
const BINARY_PATIENCE_MS = 2_000;

/** Searches with ripgrep; matches go into the job's tally. */
export async function searchWithRipgrep(
  program: string,
  job: SearchJob,
  context: ToolContext,
): Promise<SearchResult> {
  const { root, all, pattern, tally } = job;
  const cutAtNul = new Set<string>();
  const reader = new MatchReader({
    match: (file, line, text) => tally.add(file, line, text),
    cut: (file) => cutAtNul.add(file),
  });
  const walk = walkFlags(root, all, job.glob?.ripgrep);
  const isSmall = root.kind === "file" && context.files.stat(root.path).size <= MAX_NAMED_BINARY;
  const text = isSmall ? ["--text"] : [];
  const words = [...walk, ...FLAGS, ...text, ...jobFlags(job), "-e", pattern.ripgrep, "--", root.path];
  const end = await runRipgrep(program, words, context, (chunk) => reader.push(chunk));
  reader.end();
  const result: SearchResult = {
    ignored: [],
    ignoredCount: 0,
    unreadable: unreadablePlaces(end.stderr),
    cutAtNul: [...cutAtNul].filter((file) => root.kind === "file" || tally.counts(file)).sort(),
  };
  if (context.signal.aborted) return result;
  const invalid = patternError(end.stderr);
  if (invalid !== null) return { ...result, invalid };
  if (end.code !== 0 && end.code !== 1 && result.unreadable.length === 0 && tally.total === 0)
    throw new Error(end.stderr.trim().slice(0, 500) || `ripgrep ended with exit code ${end.code}`);
  if (tally.total > 0) return result;
  const binary = root.kind === "file" ? [] : await binaryMatches(program, job, context);
  if (all) return { ...result, binary };
  return { ...result, binary, ...(await listIgnored(program, root, context)) };
}

/**
 * Asked only after an empty search, which passes over files with a NUL near their start: the ones that match. Null when that
 * takes too long.
 */
async function binaryMatches(
  program: string,
  job: SearchJob,
  context: ToolContext,
): Promise<string[] | null> {
  const { root, all, pattern, tally } = job;
  const enough = AbortSignal.timeout(BINARY_PATIENCE_MS);
  const pieces: Uint8Array[] = [];
  const walk = walkFlags(root, all, job.glob?.ripgrep);
  const flags = ["--color=never", "--binary", "--files-with-matches", "--null", ...jobFlags(job)];
  await runRipgrep(
    program,
    [...walk, ...flags, "-e", pattern.ripgrep, "--", root.path],
    { ...context, signal: AbortSignal.any([context.signal, enough]) },
    (chunk) => pieces.push(chunk.slice()),
  );
  if (enough.aborted) return null;
  const names = decodeName(Buffer.concat(pieces)).split("\0");
  return names
    .map((name) => name.replace(/^\.\//, ""))
    .filter((name) => name !== "" && tally.wants(name))
    .sort();
}

function jobFlags(job: SearchJob): string[] {
  return [
    ...(job.literal ? ["--fixed-strings"] : ["--engine=auto"]),
    ...(job.ignoreCase ? ["--ignore-case"] : []),
    ...(job.multiline ? ["--multiline"] : []),
  ];
}

/** What ripgrep's own engine says of a pattern, with the place; its PCRE2 engine is only asked second and says less. */
function patternError(stderr: string): string | null {
  const start = stderr.search(
    /regex parse error:|PCRE2: error compiling|the literal .* is not allowed|compiled regex exceeds/,
  );
  if (start < 0) return null;
  const lines = stderr.slice(start).split("\n");
  const end = lines.findIndex((line, index) => index > 0 && (line.trim() === "" || /^~+$/.test(line)));
  return lines
    .slice(0, end < 0 ? 6 : Math.min(end, 6))
    .map((line) => line.replace("(?:", "").replace(/^( {4}.*)\)$/, "$1"))
    .join("\n");
}
