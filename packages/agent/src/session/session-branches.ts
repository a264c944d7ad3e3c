import { PiError } from "../contract/errors.ts";
import { branchName } from "./branch-name.ts";
import { recordTime } from "./session-id.ts";
import type { RecordBody, SessionTree, TreeNode } from "./session-tree.ts";

export interface BranchInfo {
  name: string;
  /** Id of its last record; null while it is empty. */
  head: string | null;
  current: boolean;
  /** Messages from its beginning to its end. */
  messages: number;
  /** When its last message was written, in milliseconds since 1970; 0 while it is empty. */
  updated: number;
}

/** The branches of a session. Each change is one record; nothing is ever removed from the log. */
export interface SessionBranches {
  branches(): BranchInfo[];
  /** A new branch that begins where the current one stands; it is not switched to. Throws PiError `branch_name` or `branch_exists`. */
  createBranch(name: string): void;
  /**
   * Goes on with another branch: its messages are seen from now on. Throws PiError `branch_missing`, or a FileErrorCode when the log
   * cannot be read; nothing has changed then.
   */
  switchBranch(name: string): void;
  /** The branch of this name with its last record. Throws PiError `branch_missing`. */
  branchEnd(name: string): { branch: string; to: TreeNode | null };
  /** Throws PiError `branch_missing`, `branch_name` or `branch_exists`. */
  renameBranch(name: string, to: string): void;
  /** Its records stay in the log. Throws PiError `branch_missing`, or `branch_current` for the one in use. */
  deleteBranch(name: string): void;
}

interface BranchPorts {
  tree: SessionTree;
  write(body: RecordBody): void;
  /** Reads the branch that ends with `head`; the result shows it. */
  look(head: TreeNode | null): () => void;
}

export function sessionBranches({ tree, write, look }: BranchPorts): SessionBranches {
  const headOf = (name: string): TreeNode | null => {
    const head = tree.branches.get(name);
    if (head !== undefined) return head;
    throw new PiError({
      code: "branch_missing",
      message: `there is no branch "${name}"`,
      hint: `The branches are ${[...tree.branches.keys()].join(", ")}.`,
    });
  };
  const free = (given: string): string => {
    const name = branchName(given);
    if (!tree.branches.has(name)) return name;
    throw new PiError({
      code: "branch_exists",
      message: `there is a branch "${name}" already`,
      hint: "Choose another name, or switch to it.",
    });
  };
  return {
    branches: () =>
      [...tree.branches].map(([name, node]) => ({
        name,
        head: node?.id ?? null,
        current: name === tree.active,
        ...messagesUpTo(node),
      })),
    createBranch(name) {
      write({ type: "branch", action: "create", branch: free(name), target: tree.head?.id ?? null });
    },
    switchBranch(name) {
      const head = headOf(name);
      if (name === tree.active) return;
      const show = look(head);
      write({ type: "head", branch: name, target: head?.id ?? null });
      show();
    },
    branchEnd: (name) => ({ branch: name, to: headOf(name) }),
    renameBranch(name, to) {
      headOf(name);
      if (branchName(to) === name) return;
      write({ type: "branch", action: "rename", branch: name, to: free(to) });
    },
    deleteBranch(name) {
      headOf(name);
      if (name === tree.active)
        throw new PiError({
          code: "branch_current",
          message: `the branch "${name}" is in use`,
          hint: "Switch to another branch first.",
        });
      write({ type: "branch", action: "delete", branch: name });
    },
  };
}

function messagesUpTo(end: TreeNode | null): Pick<BranchInfo, "messages" | "updated"> {
  let messages = 0;
  let last: TreeNode | null = null;
  for (let node = end; node !== null; node = node.parent)
    if (node.type === "message") {
      messages++;
      last ??= node;
    }
  return { messages, updated: last === null ? 0 : (recordTime(last.id) ?? 0) };
}
