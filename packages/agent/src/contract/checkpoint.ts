/** What is known of files that tools changed, so that they can be brought back; and the port through which that is done. */

/** What stood at a path at one moment. Contents are kept beside the log, by the SHA-256 of their bytes. */
export type FileState =
  /** `folders`: how many of the folders above it were not there either. */
  | { kind: "missing"; folders?: number }
  | { kind: "file"; hash: string; size: number; mode: number }
  | { kind: "link"; target: string }
  /** Something is there whose content was not kept; `why` is a part of a sentence, for people. */
  | { kind: "unkept"; why: string };

/** One file of a checkpoint. `path` is relative to the project, `/`-separated, and names the thing itself, never what a link leads to. */
export interface FileChange {
  path: string;
  /** As it was before the first change of this turn; absent when that is in an earlier record of the turn. */
  before?: FileState;
  /** As the change left it; absent when the process ended before that was seen. */
  after?: FileState;
}

/** What stands at a path now. `stamp` is equal only while size, times and inode are. */
export type PlaceLook =
  | { kind: "missing"; folders: number }
  | { kind: "file"; size: number; mode: number; stamp: string }
  | { kind: "link"; target: string }
  | { kind: "folder" | "other" };

/**
 * Names in the project, never followed when they are links: what a checkpoint keeps and brings back. Links in the folders above are
 * followed as far as they stay inside. All methods throw a PiError with a FileErrorCode.
 */
export interface PlaceDoor {
  look(path: string): PlaceLook;
  /** The bytes of a regular file; null when it has more than `maxBytes`. Secret files are refused. */
  read(path: string, maxBytes: number): Uint8Array | null;
  /** Replaces or creates a file atomically, with exactly this mode; missing folders are made. */
  write(path: string, bytes: Uint8Array, mode: number): void;
  link(path: string, target: string): void;
  setMode(path: string, mode: number): void;
  /** Removes a file or a link, and up to `folders` of the folders above it if they are empty then. */
  remove(path: string, folders: number): void;
}
