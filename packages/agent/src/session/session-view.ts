import type { Message } from "../contract/messages.ts";
import type { CompactionKind, OutdatedRange } from "../contract/session.ts";
import { type BranchView, coveredBy, type ViewEntry } from "./branch-view.ts";
import type { SessionTree, TreeNode } from "./session-tree.ts";

/** What the model sees of the active branch, kept up with every record that is written. */
export class SessionView {
  /** The same array for the whole session; readers see it change. */
  readonly messages: Message[] = [];
  outdated: OutdatedRange = { from: 0, before: 0 };
  readonly #tree: SessionTree;
  /** The record that each message comes from. */
  #nodes: TreeNode[] = [];
  #compaction: BranchView["compaction"] = null;
  #covered: TreeNode | null = null;

  constructor(tree: SessionTree) {
    this.#tree = tree;
  }

  /** The compaction that the view begins with. */
  get compaction(): BranchView["compaction"] {
    return this.#compaction;
  }

  /** Shows another branch, or the same one read anew. */
  show(view: BranchView): void {
    const { entries, compaction, covered, change } = view;
    this.#set(entries, compaction, covered);
    const end = entries.length;
    if (change === null) this.outdated = { from: 0, before: 0 };
    else {
      const fresh = entries.findIndex(({ node }) => node.order > change.order);
      this.#outdate(change, fresh < 0 ? end : fresh);
    }
  }

  /** The undoing of a compaction was written. */
  undone(undo: TreeNode, view: BranchView): void {
    this.show(view);
    this.#outdate(undo, this.messages.length);
  }

  append(node: TreeNode, message: Message): void {
    this.messages.push(message);
    this.#nodes.push(node);
  }

  /**
   * What a compaction record must say to stand for the first `count` messages: the last record that it stands for, and the messages
   * that it must hold besides its own, since one record cannot stand for a part of another. Null when there is nothing to stand for.
   */
  cover(count: number): { upTo: TreeNode; also: Message[] } | null {
    const last = this.#nodes[Math.min(count, this.#nodes.length) - 1];
    if (!last) return null;
    if (last !== this.#compaction?.node) return { upTo: last, also: [] };
    const own = this.#nodes.filter((node) => node === last).length;
    return { upTo: this.#covered ?? last, also: this.messages.slice(count, own) };
  }

  /** A compaction record was written. */
  compact(kind: CompactionKind, node: TreeNode, upTo: string, messages: readonly Message[]): void {
    const covered = coveredBy(this.#tree, node, upTo);
    const order = covered?.order ?? -1;
    const own = messages.map((message): ViewEntry => ({ node, message }));
    const entries = this.#nodes.map((each, index) => ({ node: each, message: this.messages[index]! }));
    const kept = entries.filter((entry) => entry.node.order > order && entry.node !== this.#compaction?.node);
    this.#set([...own, ...kept], { node, kind }, covered);
    this.#outdate(node, this.messages.length);
  }

  #outdate(change: TreeNode, before: number): void {
    const undone = change.undoes === undefined ? undefined : this.#tree.nodes.get(change.undoes);
    const later = undone ? this.#nodes.findIndex((node) => node.order > undone.order) : -1;
    this.outdated = { from: later < 0 ? before : Math.min(later, before), before };
  }

  #set(entries: readonly ViewEntry[], compaction: BranchView["compaction"], covered: TreeNode | null): void {
    this.messages.length = 0;
    for (const { message } of entries) this.messages.push(message);
    this.#nodes = entries.map(({ node }) => node);
    this.#compaction = compaction;
    this.#covered = covered;
  }
}
