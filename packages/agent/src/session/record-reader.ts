import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { PiError } from "../contract/errors.ts";
import type { SessionRecord } from "../contract/session.ts";
import { fileFailure } from "../platform/file-failure.ts";
import {
  type BranchView,
  type ReadBranchOptions,
  type RecordSource,
  readBranch,
  readRecords,
} from "./branch-view.ts";
import type { SessionTree, TreeNode } from "./session-tree.ts";

/** Records that are not on disk, by id. */
export type HeldRecords = ReadonlyMap<string, SessionRecord>;

/** Reads what the model sees of a session, out of its records. */
export interface RecordReader {
  /** The active branch as the log has it, at the beginning. Never throws: what cannot be read is told of and left out. */
  load(): BranchView;
  /** A branch that ends with `head`, read anew. Throws a PiError with a FileErrorCode. */
  read(held: HeldRecords, head: TreeNode | null, options?: ReadBranchOptions): BranchView;
  /** These records, in the same order; null for one that cannot be read. Throws a PiError with a FileErrorCode. */
  records(held: HeldRecords, nodes: readonly TreeNode[]): (SessionRecord | null)[];
  close(): void;
}

/** Of a session that has no file. */
export function heldReader(tree: SessionTree): RecordReader {
  const read: RecordReader["read"] = (held, head, options) =>
    readBranch({ fd: null, held }, tree, head, options);
  const records: RecordReader["records"] = (held, nodes) => recordsOf({ fd: null, held }, nodes);
  return { load: () => read(new Map(), tree.head), read, records, close: () => undefined };
}

function recordsOf(source: RecordSource, nodes: readonly TreeNode[]): (SessionRecord | null)[] {
  const found = new Map<TreeNode, SessionRecord | null>();
  const sorted = [...nodes].sort((a, b) => a.order - b.order);
  readRecords(source, sorted, (node, record) => found.set(node, record));
  return nodes.map((node) => found.get(node) ?? null);
}

/**
 * Of a session with a log. `opened` is the open log whose records are in the tree already; it is closed with the first look or with the
 * reader. `onProblem` hears, in whole sentences, of what turns out to be unreadable.
 */
export function logReader(
  path: string,
  tree: SessionTree,
  onProblem: (message: string) => void,
  opened: number | null = null,
): RecordReader {
  let waiting = opened;
  const take = (): number | null => {
    const fd = waiting;
    waiting = null;
    return fd;
  };
  const open = (): number | null => {
    const onDisk = [...tree.nodes.values()].some((node) => node.span);
    return onDisk ? openLog(path) : null;
  };
  const opening = <T>(use: (fd: number | null) => T): T => {
    const fd = take() ?? open();
    try {
      return use(fd);
    } catch (thrown) {
      throw fileFailure("read", path, thrown);
    } finally {
      if (fd !== null) closeSync(fd);
    }
  };
  const read: RecordReader["read"] = (held, head, options) =>
    opening((fd) => {
      const view = readBranch({ fd, held }, tree, head, options);
      tell(view, onProblem);
      return view;
    });
  return {
    read,
    records: (held, nodes) => opening((fd) => recordsOf({ fd, held }, nodes)),
    load() {
      try {
        return read(new Map(), tree.head);
      } catch (thrown) {
        onProblem(fileFailure("read", path, thrown).message);
        return readBranch({ fd: null, held: new Map() }, tree, null);
      }
    },
    close() {
      const fd = take();
      if (fd !== null) closeSync(fd);
    },
  };
}

/** Opens a log for reading. Throws a PiError with a FileErrorCode. */
export function openLog(path: string): number {
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

function tell(view: BranchView, onProblem: (message: string) => void): void {
  if (view.unreadable > 0)
    onProblem(`${count(view.unreadable, "record")} could not be read (or not in full) and were left out`);
  if (view.repaired > 0)
    onProblem(`${count(view.repaired, "record")} had bytes that are no text (shown as \ufffd)`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
