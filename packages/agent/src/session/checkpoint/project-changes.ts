/** What version control (or a look at a small project) knows about files, for the checkpoint around a command. Implemented by `cli/`. */
export interface ProjectChanges {
  /** The project as it is; null when that cannot be told cheaply. Never rejects. */
  look(): Promise<ProjectLook | null>;
  /** Files that `before`'s commit has and that another commit has otherwise. Never rejects. */
  movedBetween(before: ProjectLook, after: ProjectLook): Promise<readonly string[]>;
  /** What `look`'s commit has for these paths; those that it does not have are left out. Null: that cannot be told. Never rejects. */
  committed(look: ProjectLook, paths: readonly string[]): Promise<ReadonlyMap<string, CommittedFile> | null>;
}

export interface ProjectLook {
  /** The commit that the files are compared with; null without one. */
  commit: string | null;
  /** Paths (relative to the project) that differ from the commit, or that it does not have and that are not ignored. */
  paths: readonly string[];
}

export type CommittedFile =
  | { kind: "file"; bytes: Uint8Array; executable: boolean }
  | { kind: "link"; target: string }
  /** It is there, and its content is not handed out. */
  | { kind: "unkept"; why: string };
