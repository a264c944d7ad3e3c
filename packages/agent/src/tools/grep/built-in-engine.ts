import { errorMessage } from "../../contract/errors.ts";
import type { ToolContext } from "../../contract/tool.ts";
import { matchesGlob } from "../shared/search/glob.ts";
import { newWalkReport, walkFiles } from "../shared/search/walk.ts";
import type { SearchJob, SearchResult } from "./search-job.ts";

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Searches without ripgrep, file by file; slower, with the same answers. */
export async function searchBuiltIn(job: SearchJob, context: ToolContext): Promise<SearchResult> {
  const report = newWalkReport();
  const result = (): SearchResult => ({
    ignored: job.tally.total === 0 ? report.ignored : [],
    ignoredCount: job.tally.total === 0 ? report.ignoredCount : 0,
    unreadable: report.unreadable,
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
    return { ...result(), invalid: errorMessage(error) };
  }
  const glob = job.glob === undefined ? null : matchesGlob(job.glob);
  const files =
    job.root.kind === "file" ? [job.root.path] : walkFiles(job.root.path, job.all, context, report);
  for await (const file of files) {
    if (context.signal.aborted) break;
    if (glob !== null && job.root.kind === "folder" && !glob(file)) continue;
    searchFile(file, expression, job, context, report.unreadable);
  }
  return result();
}

function searchFile(
  file: string,
  expression: RegExp,
  job: SearchJob,
  context: ToolContext,
  unreadable: string[],
): void {
  let content: Uint8Array;
  try {
    content = context.files.isSecret(file) ? new Uint8Array() : context.files.readAll(file, MAX_FILE_BYTES);
    if (context.files.isSecret(file)) {
      job.tally.add(file, 0, "");
      return;
    }
  } catch (error) {
    unreadable.push(`${file}: ${errorMessage(error)}`);
    return;
  }
  const utf16 =
    content[0] === 0xff && content[1] === 0xfe
      ? "utf-16le"
      : content[0] === 0xfe && content[1] === 0xff
        ? "utf-16be"
        : null;
  if (utf16 === null && content.subarray(0, 8_192).includes(0)) return; // binary, as for ripgrep
  const lines = new TextDecoder(utf16 ?? "utf-8").decode(content).split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (expression.test(text)) job.tally.add(file, index + 1, text);
  }
}
