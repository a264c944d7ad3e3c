/** The ports through which a person is asked before something acts: a tool call, or what a project brings. */
import type { PendingCall } from "./callbacks.ts";
import type { CommandBlock } from "./command.ts";

/** What a person is asked. */
export interface ConsentQuestion {
  call: PendingCall;
  /** The id of the subagent that wants to make the call; absent: the agent itself does. `session` then ends with that subagent. */
  from?: string;
  /** The rule that asks, as it was written, e.g. `bash(git push:*)`. */
  rule: string;
  /** Why it applies, for people: the part of a command line, or what of it cannot be told before it runs. */
  reason: string;
  /**
   * The rules that `session` and `always` would add, as narrow as is sensible; several when a command line has several parts.
   * Empty when no rule can describe the call: `session` then means this very call.
   */
  suggestions: readonly string[];
  /** Whether `always` can be offered. False when no rule can describe the call, or none is narrower than the one that asks. */
  lasting: boolean;
}

export type ConsentAnswer =
  /** Runs this call. */
  | { answer: "once" }
  /** Runs it, and what the suggestions cover, until the session ends. */
  | { answer: "session" }
  /** The same for good. */
  | { answer: "always" }
  /** Does not run it; the model reads the reason. */
  | { answer: "refuse"; reason?: string };

/** A project whose own configuration would act. */
export interface TrustRequest {
  /** What brings it: the project's `.pi-go`, or its root. */
  folder: string;
  /** It was trusted, and is another now. */
  changed: boolean;
  /** The paths of what would act. */
  items: readonly string[];
  /** All of the content that a yes is bound to. */
  content(): Promise<readonly CommandBlock[]>;
}

/** `once`: for this run; `always`: until it changes. */
export type TrustAnswer = "no" | "once" | "always";

/** Asks a person. One question at a time: the next comes when this one is answered. */
export interface AskDoor {
  /** Waits for an answer; when `signal` aborts the question is closed, and what it resolves with no longer counts. */
  decide(question: ConsentQuestion, signal: AbortSignal): Promise<ConsentAnswer>;
}
