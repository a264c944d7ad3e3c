import type { ToolContext } from "../../contract/tool.ts";
import { decodeName } from "../shared/search/names.ts";
import { listIgnored, runRipgrep, unreadablePlaces, walkFlags } from "../shared/search/ripgrep.ts";
import type { SearchRoot } from "../shared/search/search-root.ts";
import { newWalkReport, walkFiles } from "../shared/search/walk.ts";

/** Files that were wanted, sorted by path, and what was not looked at (ignored places only when no file was wanted). */
export interface FileListing {
  files: string[];
  ignored: string[];
  ignoredCount: number;
  unreadable: string[];
}

/** Lists with ripgrep's parallel walk. */
export async function listWithRipgrep(
  program: string,
  root: SearchRoot,
  all: boolean,
  context: ToolContext,
  wanted: (path: string) => boolean,
): Promise<FileListing> {
  const files: string[] = [];
  let rest: Uint8Array = new Uint8Array();
  const words = [...walkFlags(root, all), "--files", "--null", "--", root.path];
  const end = await runRipgrep(program, words, context, (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const last = bytes.lastIndexOf(0);
    for (const name of splitNames(bytes.subarray(0, Math.max(last, 0)))) if (wanted(name)) files.push(name);
    rest = bytes.slice(last + 1);
  });
  const unreadable = unreadablePlaces(end.stderr);
  if (end.code === 2 && unreadable.length === 0 && files.length === 0 && !context.signal.aborted)
    throw new Error(end.stderr.trim().slice(0, 500) || "ripgrep ended with exit code 2");
  files.sort(byBytes);
  const listing: FileListing = { files, ignored: [], ignoredCount: 0, unreadable };
  if (files.length > 0 || all || context.signal.aborted) return listing;
  return { ...listing, ...(await listIgnored(program, root, context)) };
}

/** Lists with the built-in walk. */
export async function listBuiltIn(
  root: SearchRoot,
  all: boolean,
  context: ToolContext,
  wanted: (path: string) => boolean,
): Promise<FileListing> {
  const report = newWalkReport();
  const files: string[] = [];
  for await (const path of walkFiles(root.path, all, context, report)) if (wanted(path)) files.push(path);
  files.sort(byBytes);
  const known = files.length > 0 ? { ignored: [], ignoredCount: 0 } : report;
  return { files, ignored: known.ignored, ignoredCount: known.ignoredCount, unreadable: report.unreadable };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function* splitNames(bytes: Uint8Array): Generator<string> {
  try {
    for (const name of decoder.decode(bytes).split("\0")) if (name !== "") yield name.replace(/^\.\//, "");
  } catch {
    let start = 0; // some name is not UTF-8: one by one
    while (start < bytes.length) {
      const end = bytes.indexOf(0, start);
      const stop = end < 0 ? bytes.length : end;
      if (stop > start) yield decodeName(bytes.subarray(start, stop)).replace(/^\.\//, "");
      start = stop + 1;
    }
  }
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
