import { isUtf8 } from "node:buffer";
import type { Message } from "../contract/messages.ts";
import type { SessionRecord } from "../contract/session.ts";
import { parseRecord } from "./log-line.ts";
import { readFully } from "./read-fully.ts";
import type { SessionTree, TreeNode } from "./session-tree.ts";
import { storedMessage } from "./stored-message.ts";

/** One message that the model sees, and the record it comes from. */
export interface ViewEntry {
  node: TreeNode;
  message: Message;
}

export interface BranchView {
  entries: ViewEntry[];
  /** Records of this branch that turned out to be unreadable and were left out. */
  unreadable: number;
  /** Records with bytes that are no UTF-8: kept, with U+FFFD in their place. */
  repaired: number;
}

const WINDOW = 4 * 1024 * 1024;

/** Reads what the model sees of the active branch: from the last compaction on, and no record before it. */
export function readBranch(fd: number, tree: SessionTree): BranchView {
  const view: BranchView = { entries: [], unreadable: 0, repaired: 0 };
  const { compaction, after } = splitAtCompaction(fd, tree, view);
  if (compaction)
    for (const stored of compaction.record.messages) {
      const message = storedMessage(stored);
      if (message) view.entries.push({ node: compaction.node, message });
    }
  readBodies(fd, after, (node, bytes) => {
    if (!isUtf8(bytes)) view.repaired++;
    const record = parseRecord(bytes);
    const message = record?.type === "message" ? storedMessage(record.message) : null;
    if (message) view.entries.push({ node, message });
    // A message of which only parts could be read is told of as well.
    if (message === null || (record?.type === "message" && message !== record.message)) view.unreadable++;
  });
  return view;
}

type CompactionRecord = Extract<SessionRecord, { type: "compaction" }>;

/** The newest compaction that can be read, and the message records of the branch that it does not stand for. */
function splitAtCompaction(
  fd: number,
  tree: SessionTree,
  view: BranchView,
): { compaction: { node: TreeNode; record: CompactionRecord } | null; after: TreeNode[] } {
  const after: TreeNode[] = [];
  let node = tree.head;
  let compaction: { node: TreeNode; record: CompactionRecord } | null = null;
  let last = -1; // order of the last record that the compaction stands for
  for (; node && node.order > last; node = node.parent) {
    if (node.type === "message") after.push(node);
    else if (node.type === "compaction" && !compaction) {
      const record = readOne(fd, node);
      if (record?.type === "compaction" && Array.isArray(record.messages)) {
        compaction = { node, record };
        last = coveredOrder(tree, node, record.upTo);
      } else view.unreadable++;
    }
  }
  return { compaction, after: after.reverse() };
}

/** Order of the last record that a compaction stands for: `upTo`, or all before it when that is no ancestor. */
export function coveredOrder(tree: SessionTree, compaction: TreeNode, upTo: string): number {
  const target = tree.nodes.get(upTo);
  return target && target.order < compaction.order ? target.order : compaction.order - 1;
}

function readOne(fd: number, node: TreeNode): SessionRecord | null {
  let record: SessionRecord | null = null;
  readBodies(fd, [node], (_, bytes) => {
    record = parseRecord(bytes);
  });
  return record;
}

/** Hands out the bytes of records in file order, reading neighbours together. */
function readBodies(
  fd: number,
  nodes: readonly TreeNode[],
  visit: (node: TreeNode, bytes: Buffer) => void,
): void {
  let buffer = Buffer.alloc(0);
  for (let first = 0; first < nodes.length; ) {
    const start = nodes[first]!.span?.offset ?? 0;
    let next = first;
    let end = start;
    for (; next < nodes.length; next++) {
      const span = nodes[next]!.span;
      if (!span) continue;
      const stop = span.offset + span.length;
      if (stop - start > WINDOW && next > first) break;
      end = stop;
    }
    if (buffer.length < end - start)
      buffer = Buffer.allocUnsafe(Math.max(end - start, Math.min(WINDOW, 1 << 16)));
    const length = readFully(fd, buffer, start, end - start);
    for (; first < next; first++) {
      const node = nodes[first]!;
      if (node.span) {
        const from = node.span.offset - start;
        visit(node, buffer.subarray(from, Math.min(from + node.span.length, length)));
      }
    }
  }
}
