import type { ToolContext } from "../../contract/tool.ts";
import { decodeName } from "../shared/search/names.ts";
import { ignoredPlaces, runRipgrep, unreadablePlaces, WALK_FLAGS } from "../shared/search/ripgrep.ts";
import { LineReader } from "./line-reader.ts";
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

/** Searches with ripgrep; matches go into the job's tally. */
export async function searchWithRipgrep(
  program: string,
  job: SearchJob,
  context: ToolContext,
): Promise<SearchResult> {
  const lines = new LineReader((line) => readMatch(line, job));
  const words = [...WALK_FLAGS, ...FLAGS, ...jobFlags(job), "-e", job.pattern.ripgrep, "--", job.root.path];
  const end = await runRipgrep(program, words, context, (chunk) => {
    lines.push(chunk);
    return undefined;
  });
  lines.end();
  const result: SearchResult = { ignored: [], ignoredCount: 0, unreadable: unreadablePlaces(end.stderr) };
  if (context.signal.aborted) return result;
  const invalid = patternError(end.stderr);
  if (invalid !== null) return { ...result, invalid };
  if (end.code !== 0 && end.code !== 1 && result.unreadable.length === 0 && job.tally.total === 0)
    throw new Error(end.stderr.trim().slice(0, 500) || `ripgrep ended with exit code ${end.code}`);
  if (job.tally.total === 0 && !job.all) {
    const ignored = await listIgnored(program, job, context);
    result.ignored = ignored.slice(0, 1_000);
    result.ignoredCount = ignored.length;
  }
  return result;
}

function jobFlags(job: SearchJob): string[] {
  return [
    ...(job.literal ? ["--fixed-strings"] : ["--engine=auto"]),
    ...(job.ignoreCase ? ["--ignore-case"] : []),
    ...(job.multiline ? ["--multiline"] : []),
    ...(job.glob === undefined ? [] : [`--glob=${job.glob}`]),
    ...(job.all ? ["--no-ignore"] : []),
  ];
}

/** `path NUL line:text`. */
function readMatch(line: Uint8Array, job: SearchJob): void {
  const end = line.indexOf(0);
  if (end < 0) return; // a remark of ripgrep's, e.g. that a binary file matches
  const file = decodeName(line.subarray(0, end)).replace(/^\.\//, "");
  const rest = decodeName(line.subarray(end + 1));
  const colon = rest.indexOf(":");
  const number = Number(rest.slice(0, colon));
  if (colon < 1 || !Number.isInteger(number)) return;
  job.tally.add(file, number, rest.slice(colon + 1).replace(/\r$/, ""));
}

/** Asked only after an empty search: which places `.gitignore` kept out of it. */
async function listIgnored(program: string, job: SearchJob, context: ToolContext): Promise<string[]> {
  const words = [...WALK_FLAGS, "--debug", "--files", "--", job.root.path];
  const end = await runRipgrep(program, words, context, () => undefined);
  return ignoredPlaces(end.stderr).sort();
}

/** What ripgrep's own engine says of a pattern, with the place; its PCRE2 engine is only asked second and says less. */
function patternError(stderr: string): string | null {
  const start = stderr.search(
    /regex parse error:|PCRE2: error|the literal .* is not allowed|compiled regex exceeds/,
  );
  if (start < 0) return null;
  const lines = stderr.slice(start).split("\n");
  const end = lines.findIndex((line, index) => index > 0 && (line.trim() === "" || /^~+$/.test(line)));
  return lines
    .slice(0, end < 0 ? 6 : Math.min(end, 6))
    .map((line) => line.replace("(?:", "").replace(/^( {4}.*)\)$/, "$1"))
    .join("\n");
}
