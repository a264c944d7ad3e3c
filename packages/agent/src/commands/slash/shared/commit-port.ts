/** What `/commit` needs of git and of a model. */
export interface CommitPorts {
  git: {
    /** What is staged now; null outside of a git repository. Reads only. Throws a PiError when git fails. */
    staged(signal: AbortSignal): Promise<StagedChanges | null>;
    /**
     * Commits what is staged, hooks and all, if it still is exactly `tree`; else nothing happens (`changed`). Is not aborted
     * half way.
     */
    commit(message: string, tree: string): Promise<CommitResult>;
    /** Stages what changed of the files that git knows, as `git commit --all` does; new files stay as they are. Throws a PiError when git fails. */
    stageKnown(): Promise<void>;
  };
  commitModel: {
    /** One answer of the model of role `commit` (else of the session's model), with thinking off and no tools. Throws the PiError of a failed request. */
    propose(system: string, prompt: string, signal: AbortSignal): Promise<string>;
  };
}

export interface StagedChanges {
  /** Id of the staged tree (`git write-tree`); empty while there are conflicts. */
  tree: string;
  files: readonly StagedFile[];
  /** `git diff --cached` with renames found; without the contents of files that are on the list of secret files. */
  diff: string;
  /** Paths with unsolved conflicts. */
  conflicts: readonly string[];
  /** How many files changed that are not staged, new ones included. */
  unstaged: number;
}

export interface StagedFile {
  change: "added" | "modified" | "deleted" | "renamed" | "copied" | "type changed";
  /** Where it is now (or was, if deleted), relative to the repository's top. */
  path: string;
  /** Where it was before, for `renamed` and `copied`. */
  from?: string;
  /** Lines; null for what is not text. */
  added: number | null;
  removed: number | null;
}

/** `output` is what git and the hooks said; `hooks` what hooks said of a commit that was made. */
export type CommitResult =
  | { state: "done"; id: string; branch?: string; hooks?: string }
  | { state: "changed" }
  | { state: "failed"; output: string };
