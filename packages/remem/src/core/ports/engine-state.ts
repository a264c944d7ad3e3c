import type { RecallTrace } from "../trace/recall-trace.ts";
import type { MemoryStore } from "./memory-store.ts";

/**
 * How one project is known: the folder its worktrees share, the id a host gave it, its remote, or, outside of git and before the first
 * commit, its path. Values are normalised by `identity/`.
 */
export interface ProjectAlias {
  readonly kind: "git-dir" | "host" | "remote" | "path";
  readonly value: string;
}

/** What tells that a project is the one that is known by an alias, and proposes links; it never joins two projects by itself. */
export interface ProjectEvidence {
  /** The oldest commit of the main line; absent in an empty or shallow repository. */
  readonly rootCommit?: string;
}

export interface ProjectRecord {
  /** What memories of scope `project` carry as id. */
  readonly key: string;
  readonly aliases: readonly ProjectAlias[];
  readonly evidence: ProjectEvidence;
  readonly seenAt: number;
}

/** Which project a folder belongs to. */
export interface ProjectResolution {
  readonly project: ProjectRecord;
  /** Nobody knew any of its aliases before. */
  readonly isNew: boolean;
  /** Other projects that share an alias or the root commit: a person may link them. */
  readonly proposals: readonly { readonly project: ProjectRecord; readonly because: string }[];
}

/** A change that somebody proposes because of an answer that was wrong; only a person applies it. */
export interface CorrectionRecord {
  readonly id: string;
  /** Grows with each change; a writer that has seen an older one is refused. */
  readonly revision: number;
  readonly state: "pending" | "validated" | "needs_changes" | "applied" | "rejected";
  readonly project: string;
  readonly sessionId: string;
  /** The prompt that was answered badly, from the trace, never from the one who proposes. */
  readonly prompt: string;
  readonly statement: string;
  /** Memories that were wrong. */
  readonly disputed: readonly string[];
  /** What the last validation found, in words. */
  readonly findings: readonly string[];
  readonly at: number;
  /** Who decided, and when. */
  readonly decided?: { readonly by: string; readonly at: number; readonly reason?: string };
}

/** What the engine keeps besides memories. Every method is one transaction; many processes use one state at once. */
export interface EngineState {
  /**
   * The project that any of these aliases names, its new aliases added; else a new one. A `git-dir` or `path` whose known root commit
   * differs from the evidence is another repository at an old place: the alias moves to it. A `remote` or `host` of a project that began with another commit joins nothing;
   * that project is proposed. Aliases of two projects: the first kind in
   * the order git-dir, host, remote, path decides, and the other is proposed.
   */
  resolveProject(
    aliases: readonly ProjectAlias[],
    evidence: ProjectEvidence,
    at: number,
  ): Promise<ProjectResolution>;
  projects(): Promise<ProjectRecord[]>;
  /** Makes two projects one, on a person's word: aliases and memories of `from` become those of `into`. Gives how many memories moved. */
  linkProjects(from: string, into: string): Promise<number>;
  /** Keeps a trace; of each session, and of all together, only the newest are kept. */
  addTrace(trace: RecallTrace): Promise<void>;
  /** Newest first. Without `sessionId`: of all sessions. */
  traces(options: { readonly sessionId?: string; readonly limit: number }): Promise<RecallTrace[]>;
  /** Adds (`expected` null) or changes a correction; false when somebody changed it since revision `expected`. */
  putCorrection(correction: CorrectionRecord, expected: number | null): Promise<boolean>;
  /** Newest first. */
  corrections(states: readonly CorrectionRecord["state"][], limit: number): Promise<CorrectionRecord[]>;
  /** Takes or renews a lease that only one owner holds; false while another's has not run out. */
  takeLease(name: string, owner: string, now: number, until: number): Promise<boolean>;
  giveLease(name: string, owner: string): Promise<void>;
  /** Adds to a counter unless it would pass `cap`; gives whether it was added. */
  spend(counter: string, amount: number, cap: number): Promise<boolean>;
  counter(counter: string): Promise<number>;
}

/** A store that keeps the engine's state beside the memories, in one database. Closing it ends both. */
export interface StatefulStore extends MemoryStore {
  readonly state: EngineState;
}
