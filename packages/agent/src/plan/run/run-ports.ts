import type { Clock } from "../../contract/services.ts";
import type {
  AgentChange,
  AgentReport,
  AgentRequest,
  JoinedChange,
  StartedAgent,
} from "../../contract/subagents.ts";

/** How a command ended that was to prove something. */
export interface CommandEnd {
  /** It ended by itself with exit code 0. */
  passed: boolean;
  /** How it ended, for people: `exit code 1`, `took longer than 600 s`. */
  how: string;
  /** Both streams, bounded. */
  output: string;
  durationMs: number;
}

/** The changes of a run as a whole. */
export interface RunDiff {
  stat: string;
  /** A unified diff, bounded. */
  text: string;
  /** Characters that are left out of it. */
  leftOut: number;
}

/** The copy of the project in which a run collects its work; the user's files are not touched before {@link deliver}. */
export interface RunPlace {
  /** `run-NAME-abcde`: names the copy and the branch. */
  readonly id: string;
  readonly branch: string;
  /** The commit that the run began with. */
  readonly base: string;
  /** What people should know: what the copy does not hold. */
  readonly notes: readonly string[];
  /** A worker that has ended can go on with another message. */
  readonly resumes: boolean;
  /** The commit that the copy is at now. */
  head(): Promise<string>;
  /** Starts a subagent on a copy of this copy, or (`worktree: false`) in it. */
  start(request: AgentRequest): Promise<StartedAgent>;
  /** Runs a command, confined, where a worker left its change, or (null) in the copy itself. Rejects with a PiError when it cannot be run. */
  command(worker: AgentReport | null, command: string, signal: AbortSignal): Promise<CommandEnd>;
  /** Puts a worker's change into the copy as one commit, and forgets the worker's place. */
  take(worker: string): Promise<JoinedChange>;
  /** Puts what a worker of a killed program had changed on its branch; null: nothing. */
  rescue(worker: string): Promise<AgentChange | null>;
  diff(): Promise<RunDiff>;
  /** Puts all that is in the copy on the branch; null: nothing was changed. */
  keep(): Promise<AgentChange | null>;
  /** Brings the branch into the user's files: as one commit, or without one where their own uncommitted changes are in the way. */
  deliver(): Promise<JoinedChange & { committed: boolean }>;
  /** The run is over: what is left of it is for people to join or drop. */
  close(): void;
}

/** What a run works with. */
export interface RunPorts {
  clock: Clock;
  /** A new copy, or (`id`) the one of a run that was interrupted; null when that one is gone. */
  open(resume: { id: string; base: string } | null): Promise<RunPlace | null>;
  tell(progress: RunProgress): void;
}

/** What happens in a run, for people and programs. */
export type RunProgress =
  | {
      type: "run_begin";
      spec: string;
      run: string;
      branch: string;
      slices: number;
      done: number;
      resumed: boolean;
    }
  | { type: "slice_begin"; slice: number; title: string; attempt: number; agent: string }
  | {
      type: "slice_end";
      slice: number;
      title: string;
      outcome: "done" | "failed";
      attempts: number;
      reason?: string;
    }
  | {
      type: "check";
      kind: "verify" | "gate";
      slice?: number;
      name: string;
      passed: boolean;
      how: string;
      duration_ms: number;
    }
  | { type: "retry"; slice?: number; attempt: number; reason: string }
  | { type: "review"; verdict: "pass" | "fail"; reasons: string }
  | { type: "merge"; outcome: JoinedChange["outcome"]; message: string }
  | { type: "note"; message: string };

/** How a run ended. */
export type RunOutcome = "merged" | "nothing" | "failed" | "conflict" | "stopped";

export interface SliceResult {
  number: number;
  title: string;
  /** `before`: it was done when this run began. */
  outcome: "done" | "before" | "failed" | "stopped" | "not begun";
  attempts: number;
  durationMs: number;
  reason?: string;
  /** Another attempt would end in the same way: the day's tokens are used up. */
  usedUp?: true;
  /** The subagent that did it. */
  agent?: string;
}

export interface CheckResult {
  name: string;
  command: string;
  passed: boolean;
  how: string;
  durationMs: number;
}

export interface RunReport {
  spec: string;
  run: string;
  outcome: RunOutcome;
  /** It failed because the day's tokens are used up. */
  usedUp: boolean;
  /** For people: what happened and what to do. */
  message: string;
  slices: SliceResult[];
  gates: CheckResult[];
  review: { verdict: "pass" | "fail"; reasons: string } | null;
  /** Repairs of the whole, after gates or the review had failed. */
  repairs: number;
  startedAt: number;
  durationMs: number;
  /** Branches and folders that hold work which is nowhere else. */
  kept: string[];
  notes: string[];
}
