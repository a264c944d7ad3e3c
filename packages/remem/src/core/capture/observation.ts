import type { MemoryContext } from "../orchestrator/memory-context.ts";

/** Who put a text in: only `interactive` is a person at a keyboard, and only a person's text has a person's authority. */
export type InputSource = "interactive" | "rpc" | "extension" | "hook" | "skill" | "file" | "subagent";

/** Text that came in as a prompt. */
export interface TypedInput {
  readonly context: MemoryContext;
  /** The host's id of the message; the same id is captured once, also after a restart. */
  readonly messageId: string;
  readonly text: string;
  readonly source: InputSource;
  /** Who typed it, where people are told apart. */
  readonly author?: string;
  /** Default: now. */
  readonly at?: number;
}

/** The final answer of a turn. */
export interface AnswerInput {
  readonly context: MemoryContext;
  readonly messageId: string;
  readonly text: string;
  readonly at?: number;
}

/** One finished tool call. Its output is only looked at by rule; it is never kept as a whole. */
export interface ToolInput {
  readonly context: MemoryContext;
  readonly callId: string;
  readonly tool: string;
  /** The call's arguments as it ran. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The text the model saw. */
  readonly output: string;
  readonly failed: boolean;
  readonly exitCode?: number;
  /** Paths it read or changed, relative to the project where they are in it. Also taken from the usual arguments. */
  readonly paths?: readonly string[];
  /** Lines added and removed, where the host knows. */
  readonly diff?: { readonly added: number; readonly removed: number };
  readonly at?: number;
}

/** What becomes of one input. */
export type CaptureOutcome = "queued" | "joined" | "excluded" | "nothing" | "dropped" | "off";
