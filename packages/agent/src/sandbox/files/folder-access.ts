import type { BigIntStats } from "node:fs";
import type { FileStat } from "../../contract/files.ts";

/** One thing reached on a walk: never a followed link. */
export interface PathNode {
  kind: FileStat["kind"];
  stat: FileStat;
  owner: { uid: number; gid: number };
  /** Hard links to it. */
  names: number;
  /** Absolute real path at the time of the walk, for showing and for keys. */
  path: string;
  /** An open descriptor of it, or -1 where the platform has none. */
  descriptor: number;
}

/**
 * How a walk goes from folder to folder. With handles (Linux) a folder that was reached stays the same folder whatever is
 * renamed meanwhile; by paths (elsewhere) it is checked again around each access.
 */
export interface FolderAccess {
  /** Opens a folder by its absolute real path. */
  root(path: string): PathNode;
  /** The child of that very folder, not following a link; null when there is none. */
  child(parent: PathNode, name: string): PathNode | null;
  /** What a system call takes to reach `name` in that very folder. */
  within(parent: PathNode, name: string): string | Buffer;
  /** What a system call takes to reach that very thing. */
  itself(node: PathNode): string;
  /** A descriptor to read exactly this regular file. */
  openFile(node: PathNode): number;
  /** Throws `file_outside` when a folder of the chain is no longer the one that was reached. */
  confirm(chain: readonly PathNode[]): void;
  release(node: PathNode): void;
}

/** Our view of what the OS says of a file. */
export function describe(raw: BigIntStats): Pick<PathNode, "kind" | "stat" | "owner" | "names"> {
  const kind = raw.isFile() ? "file" : raw.isDirectory() ? "folder" : raw.isSymbolicLink() ? "link" : "other";
  return {
    kind,
    stat: {
      kind,
      size: Number(raw.size),
      mode: Number(raw.mode) & 0o7777,
      mtimeMs: Number(raw.mtimeNs) / 1e6,
      identity: `${raw.dev}:${raw.ino}`,
    },
    owner: { uid: Number(raw.uid), gid: Number(raw.gid) },
    names: Number(raw.nlink),
  };
}
