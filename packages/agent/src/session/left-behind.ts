/** What a person leaves behind who goes on from another place of the conversation. */
import type { Message } from "../contract/messages.ts";
import type { SessionRecord } from "../contract/session.ts";
import { commonAncestor, stretch } from "./checkpoint/file-history.ts";
import type { SessionRecords } from "./session-records.ts";
import type { TreeNode } from "./session-tree.ts";
import { storedMessage } from "./stored-message.ts";

/** More than any window holds; older ones are told of by a compaction's summary, if there is one. */
const MOST_MESSAGES = 20_000;
/** A way on which something was said has a prompt among its first messages. */
const MOST_LOOKED_AT = 50;

/** How many messages would be left; 0 when none of them was said by anybody (notes of the program only). Throws a FileErrorCode. */
export function countLeftBehind(log: SessionRecords, to: TreeNode | null): number {
  const nodes = leftNodes(log, to).filter(({ type }) => type === "message");
  const said = log.records(nodes.slice(0, MOST_LOOKED_AT)).some((record) => isSaid(messageOf(record)));
  return said ? nodes.length : 0;
}

/**
 * The messages since the way to `to` parted from the current one, as they were said; before them the newest summary that a compaction
 * put in the place of some of them. Throws a PiError with a FileErrorCode when the log cannot be read.
 */
export function leftBehind(log: SessionRecords, to: TreeNode | null): Message[] {
  const nodes = leftNodes(log, to);
  const messages = log
    .records(nodes.filter(({ type }) => type === "message").slice(-MOST_MESSAGES))
    .flatMap((record) => messageOf(record) ?? []);
  return messages.some(isSaid) ? [...newestSummary(log, nodes), ...messages] : [];
}

function leftNodes({ tree }: SessionRecords, to: TreeNode | null): TreeNode[] {
  return stretch(commonAncestor(tree.head, to), tree.head);
}

function newestSummary(log: SessionRecords, nodes: readonly TreeNode[]): Message[] {
  const undone = new Set(nodes.map(({ undoes }) => undoes));
  for (const node of nodes.toReversed()) {
    if (node.type !== "compaction" || undone.has(node.id)) continue;
    const [record] = log.records([node]);
    if (record?.type !== "compaction" || !Array.isArray(record.messages)) continue;
    const summaries = record.messages.flatMap((value) => {
      const message = storedMessage(value);
      return message?.role === "user" && message.origin === "summary" ? [message] : [];
    });
    if (summaries.length > 0) return summaries;
  }
  return [];
}

function messageOf(record: SessionRecord | null): Message | null {
  return record?.type === "message" ? storedMessage(record.message) : null;
}

/** True for what a person or a model said; the rest are notes of the program. */
export function isSaid(message: Message | null): boolean {
  if (message?.role === "assistant") return true;
  return message?.role === "user" && ["user", "steering", "shell"].includes(message.origin);
}
