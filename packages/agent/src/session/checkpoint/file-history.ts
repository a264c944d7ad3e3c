import type { FileChange, FileState } from "../../contract/checkpoint.ts";
import type { SessionRecord } from "../../contract/session.ts";
import type { SessionRecords } from "../session-records.ts";
import type { TreeNode } from "../session-tree.ts";
import { sameState } from "./file-states.ts";

/** What happened to a file over a stretch of a branch. */
export interface FileHistory {
  before: FileState;
  /** Undefined: the process ended before that was seen. */
  after: FileState | undefined;
  /** Between two turns somebody else changed it as well. */
  mixed: boolean;
}

/** The nodes from behind `from` (null: from the beginning) up to `to`, in order. `from` must be an ancestor of `to`, or null. */
export function stretch(from: TreeNode | null, to: TreeNode | null): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let node = to; node !== null && node !== from; node = node.parent) nodes.push(node);
  return nodes.reverse();
}

/** The last record that two places have in common; null when they have none. */
export function commonAncestor(a: TreeNode | null, b: TreeNode | null): TreeNode | null {
  let [one, other] = [a, b];
  // A parent's order is always smaller.
  while (one !== other && one !== null && other !== null)
    if (one.order > other.order) one = one.parent;
    else other = other.parent;
  return one === other ? one : null;
}

/** What the records of a stretch say of files, by path. A file that ends as it began is left out. */
export function fileHistory(log: SessionRecords, nodes: readonly TreeNode[]): Map<string, FileHistory> {
  const noted = nodes.filter(({ type }) => type === "checkpoint" || type === "rewind");
  return filesOf(log.records(noted).flatMap((record) => changesOf(record)));
}

/** The same for changes in their order. */
export function filesOf(changes: readonly FileChange[]): Map<string, FileHistory> {
  const files = new Map<string, FileHistory>();
  for (const { path, before, after } of changes) {
    const known = files.get(path);
    if (known === undefined) {
      // Without the record of how it was nothing can be brought back.
      if (before !== undefined) files.set(path, { before, after, mixed: false });
    } else {
      if (before && known.after && !sameState(known.after, before)) known.mixed = true;
      known.after = after;
    }
  }
  for (const [path, { before, after }] of files)
    if (after !== undefined && sameState(before, after)) files.delete(path);
  return files;
}

/** The changes that a record tells of; none for what is damaged or of another kind. */
export function changesOf(record: SessionRecord | null): FileChange[] {
  if (record?.type !== "checkpoint" && record?.type !== "rewind") return [];
  return readChanges(record.files);
}

/** A list of changes as it stands in a log, which anybody may have written. */
export function readChanges(value: unknown): FileChange[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    const { path, before, after } = (entry ?? {}) as Record<string, unknown>;
    if (typeof path !== "string") return [];
    const [was, is] = [readState(before), readState(after)];
    return [
      {
        path,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
      },
    ];
  });
}

/** Undefined for what is no state. */
export function readState(value: unknown): FileState | undefined {
  const { kind, hash, size, mode, target, why, folders } = (value ?? {}) as Record<string, unknown>;
  if (kind === "missing") return typeof folders === "number" ? { kind, folders } : { kind };
  if (kind === "link" && typeof target === "string") return { kind, target };
  if (kind === "unkept") return { kind, why: String(why) };
  if (kind === "file" && typeof hash === "string" && typeof mode === "number")
    return { kind, hash, size: Number(size), mode: mode & 0o7777 };
  return undefined;
}
