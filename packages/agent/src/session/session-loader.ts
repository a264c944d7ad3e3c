import { closeSync } from "node:fs";
import { join } from "node:path";
import { fileFailure } from "../platform/file-failure.ts";
import { parseRecord } from "./log-line.ts";
import { scanLog } from "./log-scan.ts";
import { logReader, openLog, type RecordReader } from "./record-reader.ts";
import { EVENTS_FILE } from "./session-meta.ts";
import { needsBody, SessionTree } from "./session-tree.ts";

export interface LoadedLog {
  tree: SessionTree;
  endsWithLine: boolean;
  /** What could not be read, for people; empty when all is well. */
  problems: string[];
  /** The conversation so far. It is read at the first need, so that opening a huge session costs little. */
  reader: RecordReader;
}

const MOST_LINES_NAMED = 5;

/**
 * Replays a session's log. `live`: another process may be in the middle of its last line. `onProblem` hears of what
 * turns out to be unreadable when the view is read. Throws a PiError with a FileErrorCode.
 */
export function loadLog(folder: string, live: boolean, onProblem: (message: string) => void): LoadedLog {
  const path = join(folder, EVENTS_FILE);
  const fd = openLog(path);
  const tree = new SessionTree();
  const lines = new Map<string, number[]>();
  let endsWithLine: boolean;
  try {
    ({ endsWithLine } = scanLog(fd, {
      record: (head, span, bytes) =>
        tree.add(head, span, needsBody(head.type) ? parseRecord(bytes()) : undefined),
      ghost: (head) => tree.addGhost(head),
      damaged(line, why) {
        if (live && why === "cut off at the end") return;
        lines.set(why, [...(lines.get(why) ?? []), line]);
      },
    }));
  } catch (thrown) {
    closeSync(fd);
    throw fileFailure("read", path, thrown);
  }
  const problems = [...lines].map(([why, numbers]) => lineProblem(why, numbers));
  if (tree.duplicates > 0) problems.push(`${count(tree.duplicates, "record")} came twice and counted once`);
  return { tree, endsWithLine, problems, reader: logReader(path, tree, onProblem, fd) };
}

function lineProblem(why: string, numbers: number[]): string {
  const named = numbers.slice(0, MOST_LINES_NAMED).join(", ");
  const more = numbers.length > MOST_LINES_NAMED ? ", …" : "";
  return `${count(numbers.length, "line")} ${why} (${numbers.length === 1 ? "line" : "lines"} ${named}${more})`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
