import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { PiError } from "../contract/errors.ts";
import { fileFailure } from "../platform/file-failure.ts";
import { readBranch, type ViewEntry } from "./branch-view.ts";
import { parseRecord } from "./log-line.ts";
import { scanLog } from "./log-scan.ts";
import type { StoredView } from "./session.ts";
import { EVENTS_FILE } from "./session-meta.ts";
import { needsBody, SessionTree } from "./session-tree.ts";

export interface LoadedLog {
  tree: SessionTree;
  endsWithLine: boolean;
  /** What could not be read, for people; empty when all is well. */
  problems: string[];
  view: StoredView;
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
        tree.add(head, span, needsBody(head.type) ? parseRecord(bytes) : undefined),
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
  let open = true;
  const close = () => {
    if (open) closeSync(fd);
    open = false;
  };
  const read = (): ViewEntry[] => {
    try {
      const view = readBranch(fd, tree);
      if (view.unreadable > 0)
        onProblem(`${count(view.unreadable, "record")} could not be read (or not in full) and were left out`);
      if (view.repaired > 0)
        onProblem(`${count(view.repaired, "record")} had bytes that are no text (shown as \ufffd)`);
      return view.entries;
    } catch (thrown) {
      onProblem(fileFailure("read", path, thrown).message);
      return [];
    } finally {
      close();
    }
  };
  return { tree, endsWithLine, problems, view: { read, close } };
}

function openLog(path: string): number {
  let fd: number;
  try {
    // A FIFO in the log's place must not hold us for ever.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    throw fileFailure("read", path, thrown);
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new PiError({
    code: "file_special",
    message: `${path} is not a file`,
    hint: "Move it out of the way.",
  });
}

function lineProblem(why: string, numbers: number[]): string {
  const named = numbers.slice(0, MOST_LINES_NAMED).join(", ");
  const more = numbers.length > MOST_LINES_NAMED ? ", …" : "";
  return `${count(numbers.length, "line")} ${why} (${numbers.length === 1 ? "line" : "lines"} ${named}${more})`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
