import type { FileDoor } from "../../../contract/files.ts";
import { decodeUtf8 } from "../../../platform/utf8.ts";
import { clipLine } from "../truncate.ts";

const MOST_BYTES = 10 * 1024 * 1024;
const MOST_LINE_BYTES = 200;
/** Files whose lines are kept at hand for one result. */
const MOST_FILES = 100;

/** Lines of files for showing beside a place; empty for what may not or cannot be read. Each file is read once. */
export function sourceLines(files: FileDoor): (path: string, line: number) => string {
  const read = new Map<string, readonly string[]>();
  return (path, line) => {
    let lines = read.get(path);
    if (lines === undefined) {
      lines = read.size < MOST_FILES ? linesOf(files, path) : [];
      read.set(path, lines);
    }
    return clipLine((lines[line - 1] ?? "").trim(), MOST_LINE_BYTES);
  };
}

function linesOf(files: FileDoor, path: string): readonly string[] {
  try {
    return decodeUtf8(files.readAll(path, MOST_BYTES)).text.split(/\r\n|\n|\r/);
  } catch {
    // gone, secret, or too large: the place alone is shown
    return [];
  }
}
