/**
 * What a part of a request is. `calls` and `results` are named by tool, `tools` by declaration, `instructions` by file;
 * `thinking`, `assistant`, `user`, `images`, `memory`, `summary` and `reminders` may come without a name.
 */
export type ContextCategory =
  | "system"
  | "tools"
  | "instructions"
  | "memory"
  | "summary"
  | "reminders"
  | "user"
  | "assistant"
  | "thinking"
  | "calls"
  | "results"
  | "images";

/** Estimated tokens of one part; several parts of one category and name add up. */
export interface ContextPart {
  category: ContextCategory;
  name?: string;
  tokens: number;
  /** How many messages, calls or files it stands for. */
  count?: number;
}

/** Where the tokens of the next request go, and what requests took so far. */
export interface ContextReport {
  /** `provider/model`; absent until one is chosen. */
  model?: string;
  /** The model's window, and what is kept free of it for the answer, in tokens. */
  window: number;
  reserve: number;
  parts: readonly ContextPart[];
  /** What the service counted for the last request of this conversation; absent before the first. */
  last?: { input: number; cacheRead: number; cacheWrite: number; output: number };
  /** Sums over the session's requests. */
  session: { requests: number; input: number; cacheRead: number; cacheWrite: number; output: number };
  /** Sums by who asked (`subagents`, `compaction`, `memory`, a model's name) where there is more than the conversation itself. */
  spent?: readonly { by: string; tokens: number; costUsd?: number }[];
  /** Tokens that compaction and shortening saved in this session. */
  saved?: number;
  /** The day of all processes; `limit` 0 = none. `summary` is one line for people. */
  day: { used: number; limit: number; summary: string };
}
