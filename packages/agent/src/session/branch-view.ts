import { isUtf8 } from "node:buffer";
import type { Message } from "../contract/messages.ts";
import type { CompactionKind, SessionRecord } from "../contract/session.ts";
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
  /** The compaction that the view begins with. */
  compaction: { node: TreeNode; kind: CompactionKind } | null;
  /** The last record that it stands for. */
  covered: TreeNode | null;
  /** The newest record that changed how the history before it looks: a compaction, or the undoing of one. */
  change: TreeNode | null;
  /** Records of this branch that turned out to be unreadable and were left out. */
  unreadable: number;
  /** Records with bytes that are no UTF-8: kept, with U+FFFD in their place. */
  repaired: number;
}

/** Where records are found: in the log, or in memory as long as they are on no disk. */
export interface RecordSource {
  fd: number | null;
  held: ReadonlyMap<string, SessionRecord>;
}

const WINDOW = 4 * 1024 * 1024;

export interface ReadBranchOptions {
  /** A compaction that counts no longer, besides those that the log names. */
  undone?: TreeNode | undefined;
  /** What was said, as if nothing had ever been compacted. */
  whole?: boolean;
}

/** Reads what the model sees of a branch that ends with `head`: from the last compaction on, and no record before it. */
export function readBranch(
  source: RecordSource,
  tree: SessionTree,
  head: TreeNode | null,
  { undone, whole = false }: ReadBranchOptions = {},
): BranchView {
  const view: BranchView = {
    entries: [],
    compaction: null,
    covered: null,
    change: null,
    unreadable: 0,
    repaired: 0,
  };
  const { stored, after } = splitAtCompaction(source, tree, whole ? "none" : undone, head, view);
  for (const value of stored) {
    const message = storedMessage(value);
    if (message) view.entries.push({ node: view.compaction!.node, message });
  }
  readRecords(source, after, (node, record, clean) => {
    if (!clean) view.repaired++;
    const message = record?.type === "message" ? storedMessage(record.message) : null;
    if (message) view.entries.push({ node, message });
    // A message of which only parts could be read is told of as well.
    if (message === null || (record?.type === "message" && message !== record.message)) view.unreadable++;
  });
  return view;
}

/** The messages of the newest compaction that counts and can be read, and the message records that it does not stand for. `none` counts. */
function splitAtCompaction(
  source: RecordSource,
  tree: SessionTree,
  undone: TreeNode | "none" | undefined,
  head: TreeNode | null,
  view: BranchView,
): { stored: readonly unknown[]; after: TreeNode[] } {
  const after: TreeNode[] = [];
  const ignored = new Set<string | undefined>(undone === "none" ? [] : [undone?.id]);
  let stored: readonly unknown[] = [];
  let last = -1; // order of the last record that the compaction stands for
  for (let node = head; node && node.order > last; node = node.parent) {
    if (node.type === "message") after.push(node);
    else if (node.type === "undo") {
      view.change ??= node;
      ignored.add(node.undoes);
    } else if (node.type === "compaction" && undone !== "none" && !view.compaction && !ignored.has(node.id)) {
      const record = readOne(source, node);
      if (record?.type === "compaction" && Array.isArray(record.messages)) {
        stored = record.messages;
        view.compaction = { node, kind: record.kind === "shed" ? "shed" : "summary" };
        view.change ??= node;
        view.covered = coveredBy(tree, node, record.upTo);
        last = view.covered?.order ?? -1;
      } else view.unreadable++;
    }
  }
  return { stored, after: after.reverse() };
}

/** The last record that a compaction stands for: `upTo`, or the one before it when that is no earlier one. */
export function coveredBy(tree: SessionTree, compaction: TreeNode, upTo: string): TreeNode | null {
  const target = tree.nodes.get(upTo);
  return target && target.order < compaction.order ? target : compaction.parent;
}

function readOne(source: RecordSource, node: TreeNode): SessionRecord | null {
  let found: SessionRecord | null = null;
  readRecords(source, [node], (_, record) => {
    found = record;
  });
  return found;
}

/** Hands out records in the order of writing, reading neighbours together. `clean` false: with bytes that are no UTF-8. */
export function readRecords(
  { fd, held }: RecordSource,
  nodes: readonly TreeNode[],
  visit: (node: TreeNode, record: SessionRecord | null, clean: boolean) => void,
): void {
  let buffer = Buffer.alloc(0);
  for (let first = 0; first < nodes.length; ) {
    let next = first;
    let start = -1;
    let end = 0;
    for (; next < nodes.length; next++) {
      const span = nodes[next]!.span;
      if (!span) continue;
      if (start < 0) start = span.offset;
      const stop = span.offset + span.length;
      if (stop - start > WINDOW && next > first) break;
      end = stop;
    }
    if (buffer.length < end - start)
      buffer = Buffer.allocUnsafe(Math.max(end - start, Math.min(WINDOW, 1 << 16)));
    const length = fd === null || start < 0 ? 0 : readFully(fd, buffer, start, end - start);
    for (; first < next; first++) {
      const node = nodes[first]!;
      if (!node.span) {
        visit(node, held.get(node.id) ?? null, true);
        continue;
      }
      const from = node.span.offset - start;
      const bytes = buffer.subarray(from, Math.min(from + node.span.length, length));
      const record = parseRecord(bytes);
      visit(node, record?.id === node.id ? record : null, isUtf8(bytes));
    }
  }
}
