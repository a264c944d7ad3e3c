import { PiError } from "../contract/errors.ts";
import type { SessionRecord } from "../contract/session.ts";
import type { RecordBody, SessionTree, TreeNode } from "./session-tree.ts";

/** Records beside the conversation: the view does not show them, and they hang where they were written. */
export type NoteBody = Extract<RecordBody, { type: "checkpoint" | "rewind" | "label" | "extension" }>;

/** The records of a session themselves, for going back in them. */
export interface SessionRecords {
  /** Every record that has a place in the tree. The tree is live and is only read. */
  readonly tree: Readonly<SessionTree>;
  /** The records of these nodes, read whole; null for one that cannot be read. Throws a PiError with a FileErrorCode. */
  records(nodes: readonly TreeNode[]): (SessionRecord | null)[];
  /** Writes a record beside the conversation, at the end of the current branch. Returns its id. */
  note(body: NoteBody): string;
  /**
   * The current branch ends with the record `target` from now on (null: it is empty), and its messages are those up to there. Nothing
   * is removed: the same call with the old end takes it back. Throws PiError `record_missing`, or a FileErrorCode when the log cannot
   * be read; nothing has changed then.
   */
  rewind(target: string | null): void;
}

interface LogPorts {
  tree: SessionTree;
  write(body: RecordBody): { node: TreeNode | undefined };
  /** Reads the branch that ends with `head`; the result shows it. */
  look(head: TreeNode | null): () => void;
  read(nodes: readonly TreeNode[]): (SessionRecord | null)[];
}

export function sessionRecords({ tree, write, look, read }: LogPorts): SessionRecords {
  return {
    tree,
    records: read,
    note: (body) => write(body).node!.id,
    rewind(target) {
      const node = target === null ? null : tree.nodes.get(target);
      if (node === undefined)
        throw new PiError({
          code: "record_missing",
          message: `there is no record "${target}" in this session`,
          hint: "It may have been lost with a damaged line; /tree shows what is there.",
        });
      if (node === tree.head) return;
      const show = look(node);
      write({ type: "head", branch: tree.active, target });
      show();
    },
  };
}
