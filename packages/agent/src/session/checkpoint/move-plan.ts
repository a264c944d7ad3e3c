import type { FileState } from "../../contract/checkpoint.ts";
import type { SessionRecords } from "../session-records.ts";
import type { TreeNode } from "../session-tree.ts";
import { commonAncestor, type FileHistory, fileHistory, stretch } from "./file-history.ts";
import { type FileStates, sameState } from "./file-states.ts";

/** What going to another place would do to one file. */
export interface FilePlan {
  path: string;
  now: FileState;
  wanted: FileState;
  /** What the agent left; undefined when that was not seen. */
  left: FileState | undefined;
  /** `same`: nothing to do. `outside`: somebody else changed it since. `lost`: it cannot be brought back, for the reason `why`. */
  kind: "same" | "clean" | "outside" | "lost";
  why?: string;
}

/** What the records say of files between two places: how they are meant to be at each. */
interface Meant {
  here: FileState | undefined;
  there: FileState;
  mixed: boolean;
}

/** What would have to be done to the files to go from one place of the tree to another. In order of their paths. */
export function planMove(
  log: SessionRecords,
  states: FileStates,
  from: TreeNode | null,
  to: TreeNode | null,
): FilePlan[] {
  const meeting = commonAncestor(from, to);
  const back = fileHistory(log, stretch(meeting, from));
  const forth = fileHistory(log, stretch(meeting, to));
  return [...meantBetween(back, forth)]
    .map(([path, meant]) => planFile(states, path, meant))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function meantBetween(
  back: ReadonlyMap<string, FileHistory>,
  forth: ReadonlyMap<string, FileHistory>,
): Map<string, Meant> {
  const files = new Map<string, Meant>();
  for (const [path, { before, after, mixed }] of back) files.set(path, { here: after, there: before, mixed });
  for (const [path, { before, after, mixed }] of forth) {
    const there = after ?? { kind: "unkept", why: "it is not known how it was left there" };
    const known = files.get(path);
    files.set(path, known ? { ...known, there } : { here: before, there, mixed });
  }
  return files;
}

/** What bringing one file to a state would do. */
export function planFile(states: FileStates, path: string, { here, there, mixed }: Meant): FilePlan {
  const now = states.look(path);
  const plan = { path, now, wanted: there, left: here };
  if (sameState(now, there)) return { ...plan, kind: "same" };
  if (there.kind === "unkept") return { ...plan, kind: "lost", why: there.why };
  if (now.kind === "unkept") return { ...plan, kind: "lost", why: now.why };
  if (there.kind === "file" && !states.blobs.has(there.hash))
    return { ...plan, kind: "lost", why: "its content is not among what was kept" };
  const ours = here !== undefined && !mixed && sameState(now, here);
  return { ...plan, kind: ours ? "clean" : "outside" };
}
