import { errorMessage } from "../../contract/errors.ts";
import type { ToolContext } from "../../contract/tool.ts";
import { decodeUtf8 } from "../../platform/utf8.ts";
import { newWalkReport, walkFiles } from "../shared/search/walk.ts";
import { type LineMatcher, lineMatcher } from "./line-matcher.ts";
import type { SearchJob, SearchResult } from "./search-job.ts";
import { keepsBack } from "./tally.ts";

const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** More files than this on which the pattern takes too long end the search. */
const MAX_GIVEN_UP = 3;

/** Searches without ripgrep, file by file; slower, with the same answers. A file may take `patienceMs`. */
export async function searchBuiltIn(
  job: SearchJob,
  context: ToolContext,
  patienceMs: number,
): Promise<SearchResult> {
  const report = newWalkReport();
  const cutAtNul: string[] = [];
  const binary: string[] = [];
  const result = (): SearchResult => ({
    ignored: job.tally.total === 0 ? report.ignored : [],
    ignoredCount: job.tally.total === 0 ? report.ignoredCount : 0,
    unreadable: report.unreadable,
    cutAtNul,
    ...(job.tally.total === 0 ? { binary: binary.filter((file) => job.tally.wants(file)) } : {}),
  });
  if (job.multiline)
    return {
      ...result(),
      unsupported: "not looked: a pattern over several lines needs ripgrep, which is not here",
    };
  let expression: RegExp;
  try {
    expression = job.pattern.compile();
  } catch (error) {
    return { ...result(), invalid: `${errorMessage(error)} (for the built-in engine; ripgrep is not here)` };
  }
  const matcher = lineMatcher(expression, context, patienceMs);
  let givenUp = 0;
  try {
    const files =
      job.root.kind === "file" ? [job.root.path] : walkFiles(job.root.path, job.all, context, report);
    for await (const file of files) {
      if (context.signal.aborted) break;
      if (job.glob !== undefined && job.root.kind === "folder" && !job.glob.matches(file)) continue;
      const end = await searchFile(file, matcher, job, context);
      if (end === "cut") cutAtNul.push(file);
      else if (end === "binary") binary.push(file);
      else if (end !== null) report.unreadable.push(`${file}: ${end}`);
      if (end === TOO_LONG && ++givenUp >= MAX_GIVEN_UP) {
        report.unreadable.push("all files after it");
        break;
      }
    }
  } finally {
    matcher.close();
  }
  return result();
}

const TOO_LONG = "the pattern takes too long on it";

/**
 * Null when all of the file was searched, "cut" when it was up to its first NUL, "binary" when it matches from there on only,
 * else why it was not.
 */
async function searchFile(
  file: string,
  matcher: LineMatcher,
  job: SearchJob,
  context: ToolContext,
): Promise<string | null> {
  let content: Uint8Array;
  try {
    if (keepsBack(file, job.root.path, context)) {
      job.tally.add(file, 0, "");
      return null;
    }
    content = context.files.readAll(file, MAX_FILE_BYTES);
  } catch (error) {
    return errorMessage(error);
  }
  const { lines, text } = linesIn(content, job.root.kind === "file");
  const found = await matcher.matches(lines);
  if (found === null) return context.signal.aborted ? null : TOO_LONG;
  const shown = found.filter((index) => index < text);
  for (const index of shown) job.tally.add(file, index + 1, lines[index] ?? "");
  if (text === lines.length) return null;
  if (shown.length > 0) return "cut";
  return found.length > 0 ? "binary" : null;
}

/** As ripgrep does it: of a binary file that nobody named only what stands before its first NUL counts, the first `text` lines. */
function linesIn(content: Uint8Array, named: boolean): { lines: string[]; text: number } {
  const [first, second] = content;
  const wide =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  const nul = wide === null && !named ? content.indexOf(0) : -1;
  const end = nul === -1 ? content.length : content.lastIndexOf(10, nul) + 1;
  const text = linesOf(
    wide === null ? decodeUtf8(content.subarray(0, end)).text : new TextDecoder(wide).decode(content),
  );
  // Never shown, so what is no UTF-8 there need not be readable.
  const rest = nul === -1 ? [] : linesOf(new TextDecoder().decode(content.subarray(end)));
  return { lines: [...text, ...rest], text: text.length };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}
