import type { AgentChange, JoinedChange } from "../../contract/subagents.ts";

/** A worktree that a subagent works on. */
export interface AgentWorktree {
  id: string;
  /** Its top. */
  folder: string;
  /** Where the agent works: the same place below the top as its caller's. */
  cwd: string;
  branch: string;
  /** The commit it was made from. */
  base: string;
  /** For its caller: what it does not hold. */
  notes: readonly string[];
  /** The same for the agent itself. */
  forAgent: readonly string[];
}

/** Worktrees for subagents, and what is done with their changes. */
export interface AgentWorktrees {
  /** A worktree on the project as it is now, or why there can be none. Rejects with a PiError when git fails. */
  make(id: string): Promise<AgentWorktree | { reason: string }>;
  /** The worktree of a finished subagent again, from its branch; null when that was joined or dropped. */
  reopen(id: string, change: AgentChange): Promise<AgentWorktree | null>;
  /** Puts everything that is in a worktree on its branch and removes what is then no loss. Null: nothing was changed. */
  keep(worktree: AgentWorktree, task: string): Promise<AgentChange | null>;
  /** Brings a branch's change into the user's files. */
  apply(branchOrId: string): Promise<JoinedChange>;
}
