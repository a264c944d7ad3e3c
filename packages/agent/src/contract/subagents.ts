/** The port between the `agent` tool, the surfaces, and what runs subagents. */
import type { Usage } from "./messages.ts";

/** The folder in a repository's git folder that holds the worktrees of subagents: each may change nothing but its own. */
export const AGENT_WORKTREES = "pi-worktrees";

/** A kind of subagent: what it may do and how it is told to work. */
export interface AgentType {
  readonly name: string;
  /** One line, for the model that chooses among types. */
  readonly description: string;
  /** Role of the model that plays it; null: the model of the run. */
  readonly role: string | null;
  /** `provider/model`; wins over the role. */
  readonly model: string | null;
  /** Names of tools; null: those of the agent that starts it, but for `agent`. */
  readonly tools: readonly string[] | null;
  /** Works on a git worktree of its own unless a call says otherwise. */
  readonly worktree: boolean;
  /** Its commands run in a sandbox that may write nothing, or not at all. */
  readonly readOnly: boolean;
  /** How long it may work, in milliseconds; waiting for a place does not count. */
  readonly timeoutMs: number;
  /** Model calls. */
  readonly maxTurns: number;
  /** Added to the system prompt. */
  readonly instruction: string;
  /** The file it was read from; null: built in. */
  readonly file: string | null;
}

/** A file that is no agent, or only in part; `line` counts from 1. */
export interface AgentProblem {
  file: string;
  line?: number;
  message: string;
}

/** What is to be done by one subagent. */
export interface AgentRequest {
  agent: string;
  task: string;
  /** Absent: as the type says. */
  worktree?: boolean;
  /** A finished subagent of this session that goes on with `task` as its next message. */
  resume?: string;
  /** For people, in place of the task's first line: what part of something larger it works on. */
  label?: string;
}

/** Each end looks different: what came of it decides what the caller does next. */
export type AgentState = "waiting" | "running" | "done" | "failed" | "timed_out" | "killed" | "cancelled";

/** What a subagent with a worktree changed, kept on a branch until somebody joins or drops it. */
export interface AgentChange {
  branch: string;
  /** The commit that it began with: the project as it was, with what was not committed. */
  base: string;
  /** As `git diff --stat` shows it. */
  stat: string;
  /** The worktree that is still there because of what no branch holds (ignored files); null: it was removed. */
  folder: string | null;
}

/** How a subagent is, or how it ended. */
export interface AgentReport {
  id: string;
  type: string;
  task: string;
  /** As its request had it. */
  label?: string;
  state: AgentState;
  /** Its answer; of one that did not end well, what it had said by then. */
  text: string;
  /** Why it did not end well. */
  reason: string | null;
  /** The day's tokens were used up: another one would end in the same way. */
  usedUp?: true;
  /** The last lines of its stderr, of one that did not end well. */
  stderr: string;
  usage: Usage;
  turns: number;
  /** Since its start; without the time that it waited for a place. */
  durationMs: number;
  startedAt: number;
  /** Its session, null while that is not known or when nothing is kept. */
  session: string | null;
  /** What it did last, in some words. */
  lastAction: string;
  change: AgentChange | null;
  /** What its caller has to know besides (where it worked, what the worktree does not hold). */
  notes: readonly string[];
}

/** One thing that a subagent said or did; `failed` is the result of a call that went wrong. */
export interface AgentStep {
  readonly kind: "task" | "said" | "call" | "failed";
  readonly text: string;
}

/** Work of a subagent or of a run that nobody has joined or dropped. */
export interface LeftAgentWork {
  id: string;
  branch: string;
  /** Somebody works on it now, or will go on with it. */
  busy: boolean;
  /** Its worktree, if that is still there. */
  folder: string | null;
  /** Something in the worktree is on no branch yet. */
  dirty: boolean;
  /** As `git diff --stat` shows it. */
  stat: string;
}

/** What a live list of subagents shows. What is done to them are slash commands. */
export interface AgentBoard {
  /** Those of this session, oldest first, ended ones too; cheap enough for each frame. */
  agents(): readonly StartedAgent[];
  /** Asks git: not for each frame. Rejects with a PiError when git fails. */
  left(): Promise<readonly LeftAgentWork[]>;
  /** Hears when one begins or does something (`agents`), and when work may be left or gone (`left`). Returns what ends the listening. */
  subscribe(listener: (what: "agents" | "left") => void): () => void;
}

/** A started subagent. */
export interface StartedAgent {
  readonly id: string;
  report(): AgentReport;
  /** Resolves with its end. Never rejects. */
  readonly ended: Promise<AgentReport>;
  /** What it said and did in this program, oldest first, within bounds. The list is live and is only read. */
  steps(): readonly AgentStep[];
  /** Hears, in some words, what it does. Returns what ends the listening. */
  onAction(listener: (words: string) => void): () => void;
  /** Ends it; resolves when it and all it started are gone and its work is kept. */
  stop(): Promise<AgentReport>;
}

/** How a change was joined to the user's project. */
export interface JoinedChange {
  outcome: "joined" | "conflict" | "nothing" | "refused";
  /** For people and models: what was done, or why not and what to do. */
  message: string;
  /** The files that were changed or that clash. */
  files: readonly string[];
}

/** The subagents of a session. */
export interface Subagents {
  types(): readonly AgentType[];
  /**
   * Begins one; it may have to wait for a place. Rejects with a PiError before anything is started: `agent_unknown`,
   * `agent_limit` (names the limit), `agent_busy` (resume of one that runs).
   */
  start(request: AgentRequest): Promise<StartedAgent>;
  get(id: string): StartedAgent | undefined;
  list(): readonly StartedAgent[];
  /** While `wait` lasts the caller's own place is free for others. */
  whileWaiting<T>(wait: () => Promise<T>): Promise<T>;
  /** Nobody waits for this one: its end is told by itself, before the caller's next request to the model. */
  announce(agent: StartedAgent): void;
  /** The caller has been given its end: there is nothing left to announce. */
  heard(agent: StartedAgent): void;
  /** Brings what a finished subagent changed into the user's files, without a commit. */
  apply(id: string): Promise<JoinedChange>;
}
