import type { MemoryRecord } from "../memory/record.ts";
import type { RecallTrace } from "../trace/recall-trace.ts";

/** What a host puts before the model for one prompt. */
export interface MemoryInjection {
  /** Framed, attributed, escaped; belongs into a message, never into the system text. Empty: add nothing. */
  readonly text: string;
  /** For the system text, once, as soon as any frame is shown; absent when `text` is empty. The same bytes each time. */
  readonly instruction?: string;
  /** Estimated tokens of `text`. */
  readonly tokens: number;
  readonly trace: RecallTrace;
}

/** A memory that was found, from which provider, and where else the same was found. */
export interface FoundMemory {
  readonly record: MemoryRecord;
  readonly provider: string;
  /** 0 to 1, comparable over providers. */
  readonly score: number;
  /** The score without what the session around it adds, on the same scale. */
  readonly alone: number;
  /** What the score is made of. */
  readonly parts: Readonly<Record<string, number>>;
  /** The same memory elsewhere: `provider:id`. */
  readonly duplicates: readonly string[];
}

/** A provider that gave nothing, and why: never its error's text. */
export interface ProviderGap {
  readonly provider: string;
  readonly reason: "failed" | "timed_out" | "unknown_provider";
}

/** Whether a place was looked at: nothing found there is not the same as not looked. */
export type LookOutcome = "found" | "nothing_found" | "not_looked";

/** The answer to an explicit question. */
export interface MemoryAnswer {
  readonly outcome: LookOutcome;
  /** Best first. */
  readonly memories: readonly FoundMemory[];
  /** Providers whose part is missing. */
  readonly gaps: readonly ProviderGap[];
  /** Records that a provider gave although their scope was not asked for; they were dropped. */
  readonly outOfScope: number;
  /** Why nothing was looked at, in words, for `not_looked`. */
  readonly reason?: string;
}

/** One provider as `status` tells it. */
export interface ProviderStatus {
  readonly id: string;
  readonly primary: boolean;
  readonly health: "ok" | "failed" | "timed_out";
  readonly memories: number;
  readonly candidates: number;
  readonly sessions: number;
  /** Memories with a vector, over all spaces. */
  readonly vectors: number;
  /** The error's code or name when it is not well. */
  readonly error?: string;
}
