/** The port to the project's files. Every path is confined by handle, not by prefix. */

/** Codes of a refused or failed file access; `PiError.code` of what a FileDoor throws. */
export type FileErrorCode =
  | "file_outside" // leaves the project: by .., an absolute path, a link
  | "file_secret" // on the deny list of key files
  | "file_missing"
  | "file_not_folder"
  | "file_is_folder"
  | "file_special" // a device, socket or FIFO
  | "file_loop" // a chain of links without end
  | "file_denied" // the OS refuses (EACCES, EPERM)
  | "file_no_space"
  | "file_read_only"
  | "file_name" // a name the OS cannot have (NUL, too long)
  | "file_failed";

export interface FileStat {
  kind: "file" | "folder" | "link" | "other";
  size: number;
  mode: number;
  mtimeMs: number;
  /** Device and inode as text: equal for two names of one file. */
  identity: string;
}

export interface FolderEntry {
  name: string;
  kind: "file" | "folder" | "link" | "other";
  size: number;
  /** For a link: where it points, as written. */
  target?: string;
}

/** An open file: what is read is what was checked. */
export interface FileHandle {
  /** Relative to the root, of the file really opened (links resolved). */
  readonly path: string;
  readonly stat: FileStat;
  /**
   * Reads up to `length` bytes at `position`; fewer at the end. With `into` (at least `length` long) the result is a view
   * of it, so that a large file costs no memory.
   */
  read(position: number, length: number, into?: Uint8Array): Uint8Array;
  close(): void;
}

/**
 * The project's files. Paths may be absolute or relative to `root`, with `..`, and through links, as long as what they
 * reach lies inside `root` (or, for reading, inside one of `extraRoots`). All methods throw a PiError with a FileErrorCode.
 */
export interface FileDoor {
  /** Absolute real path of the project. */
  readonly root: string;
  /** Folders outside of the project that may be read (never written): spilled output, skills. */
  readonly extraRoots: readonly string[];
  /** A path as the tools show it: relative to the root, `/`-separated, `.` for the root. */
  display(path: string): string;
  /** One key for all spellings of a file, also of one that does not exist yet. Never throws. */
  key(path: string): string;
  /** The real absolute path after confinement, for handing to a program (`rg`, `git`). */
  real(path: string): string;
  /** Follows links; throws `file_missing`. */
  stat(path: string): FileStat;
  exists(path: string): boolean;
  open(path: string): FileHandle;
  /** The whole file, at most `maxBytes` (else `file_failed` naming the size). */
  readAll(path: string, maxBytes: number): Uint8Array;
  /**
   * Replaces or creates a file atomically: a temporary sibling, then a rename; keeps mode, owner where it may, and
   * links (the link's target is replaced). Other names of the same file (hard links, which may lie outside) keep the old
   * content; `otherNames` is how many they are. Parent folders are made. On any failure the old file is untouched.
   */
  write(path: string, bytes: Uint8Array): { created: boolean; path: string; otherNames: number };
  /**
   * Entries in byte order of their names, not following links. Bytes of a name that are no UTF-8 show as `\xE9`. Without
   * `sizes` (default true) every size is 0 and a large folder is listed several times faster.
   */
  list(path: string, options?: { sizes?: boolean }): FolderEntry[];
  /** True for files whose contents no tool may show (`.env`, private keys); `.env.example` and the like are free. */
  isSecret(path: string): boolean;
}

/** What the model has seen of each file, by key; a write over unseen or changed content is refused. */
export interface ReadLedger {
  /**
   * Records what the model has now seen (or written): the hash of the whole content on disk. `lines` (1-based, both ends
   * included) says which part it was: parts of one content that together cover all lines make a whole.
   */
  record(
    key: string,
    content: Uint8Array,
    seen: "whole" | "part",
    lines?: { from: number; to: number; total: number },
  ): void;
  /** `current` when the bytes are those recorded. */
  state(key: string, content: Uint8Array): "current" | "changed" | "unseen";
  seen(key: string): "whole" | "part" | "none";
}
