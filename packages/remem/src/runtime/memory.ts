import type { CaptureExplanation, CaptureReport } from "../core/capture/capture-report.ts";
import type { AnswerInput, ToolInput, TypedInput } from "../core/capture/observation.ts";
import type { CorrectionQueue } from "../core/corrections/correction-queue.ts";
import type { MemoryManager } from "../core/manager/memory-manager.ts";
import type { MemoryKind } from "../core/memory/record.ts";
import type { MemoryAnswer, MemoryInjection } from "../core/orchestrator/answers.ts";
import type { MemoryContext } from "../core/orchestrator/memory-context.ts";
import type { MemoryStatus } from "../core/orchestrator/memory-status.ts";
import type { EngineState } from "../core/ports/engine-state.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import type { RecallTrace } from "../core/trace/recall-trace.ts";
import type { MemoryConfig } from "./config/memory-config.ts";

/** Where opening stands. `absent`: there is no store yet, and nothing has to be stored. */
export type MemoryState = "opening" | "ready" | "absent" | "off" | "unavailable" | "closed";

/** Something a person should know, without any memory's text. */
export interface MemoryNotice {
  readonly level: "info" | "warning";
  /** For programs: `store_busy`, `config_unknown_key`, `capture_dropped`, … */
  readonly code: string;
  readonly message: string;
}

/** One conversation of the host. */
export interface SessionOptions {
  /** The host's id; the same after a resume. */
  readonly id: string;
  /** Sessions this one was forked from or works for: their session memories are read, never written. */
  readonly parents?: readonly string[];
  /** Nothing of this session is captured, such as a subagent's or the compressor's own calls. */
  readonly passive?: boolean;
}

/** What a search of tools and commands may say. */
export interface LookOptions {
  /** Default 10, at most 50. */
  readonly limit?: number;
  readonly kinds?: readonly MemoryKind[];
  /** Only this provider; default: all. */
  readonly provider?: string;
  readonly signal?: AbortSignal;
}

/** Memory as one conversation sees it. No method throws because memory is broken; an abort by the caller's own signal gives what there is. */
export interface MemorySession {
  readonly id: string;
  /** Scopes and project of this session, once they are known. */
  context(): Promise<MemoryContext>;
  /** For the first message of a new session. Silent when there is nothing; takes at most `limits.startDeadlineMs`. */
  sessionStart(options?: { readonly signal?: AbortSignal }): Promise<MemoryInjection>;
  /** For each prompt. The same turn and prompt give the same bytes. */
  processPrompt(
    prompt: string,
    options: { readonly turnId: string; readonly signal?: AbortSignal },
  ): Promise<MemoryInjection>;
  /** Statements and verbatim pieces that answer a question; looks without a floor. */
  search(query: string, options?: LookOptions): Promise<MemoryAnswer>;
  /** The same among verbatim pieces: prompts, answers, tool notes. */
  history(query: string, options?: LookOptions): Promise<MemoryAnswer>;
  /** What happened around a memory in its session, in order of time. */
  timeline(
    anchor: string,
    options?: { readonly before?: number; readonly after?: number; readonly signal?: AbortSignal },
  ): Promise<MemoryAnswer>;
  get(ids: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<MemoryAnswer>;
  status(options?: { readonly signal?: AbortSignal }): Promise<MemoryStatus>;
  /** Whether anything is remembered that this session may read, or may be by another provider. Of what an earlier process left only the first part may be looked at yet. False where the store cannot be opened. */
  holdsAnything(): Promise<boolean>;
  /** The last decision to recall or stay silent, also one of before a restart. */
  explain(): Promise<RecallTrace | undefined>;
  /** The decision of the turn before the last one: what a correction speaks of. */
  explainPreviousTurn(): Promise<RecallTrace | undefined>;
  explainCapture(): CaptureExplanation;
  /** A short text to put beside a real summary when a host compacts; empty when there is nothing to keep. Never a summary by itself. */
  compactionContext(options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** Fire and forget; returns at once. */
  typed(input: Omit<TypedInput, "context">): void;
  answer(input: Omit<AnswerInput, "context">): void;
  tool(input: Omit<ToolInput, "context">): void;
  /** Writes the session's summary. Called again it does nothing. */
  end(): Promise<void>;
}

/** What closing left behind. */
export interface CloseReport {
  /** Observations that are in the outbox, for the next process. */
  readonly left: number;
  readonly milliseconds: number;
}

/** Tokens of the small model, in and out, reserved before each request. */
export interface CompressionSpending {
  readonly spent: number;
  readonly limit: number;
}

/** The primary store and its state, for programs that work on all of it (command line, transfer). */
export interface OpenedStore {
  readonly memories: MemoryStore;
  readonly state: EngineState;
}

/** The one object a host keeps. */
export interface Memory extends AsyncDisposable {
  readonly state: MemoryState;
  /** For the host's system text, when memory is on: what a frame is. The same bytes each time. */
  readonly instruction: string;
  /** The settings in force, and what was wrong in the files. Loaded at the first need. */
  config(): Promise<MemoryConfig>;
  /** Resolves when opening is over, however it ended. Hosts do not wait for it. */
  ready(): Promise<MemoryState>;
  /** Reads what the first question would have to wait for, the vectors above all: for a host that has time before the first prompt. Makes and asks nothing; never rejects. */
  warmUp(): Promise<void>;
  /** The same session object for the same id. */
  session(options: SessionOptions): MemorySession;
  /** Creates, changes and erases memories, for people and programs, never for a model. Opens (and makes) the store. Rejects with a StoreError. */
  manager(): Promise<MemoryManager>;
  /** Corrections: handed in, validated, decided by a person. Rejects with a StoreError. */
  corrections(): Promise<CorrectionQueue>;
  /** The primary store. `write` makes it when it is missing; without it a missing store gives undefined. Rejects with a StoreError. */
  store(access: "read" | "write"): Promise<OpenedStore | undefined>;
  /** Where new statements of the current folder hold, and what is read from it. */
  context(sessionId: string): Promise<MemoryContext>;
  capture(): CaptureReport;
  /** What compression has cost today (UTC), all processes together. Rejects with a StoreError. */
  compression(): Promise<CompressionSpending>;
  /** Renews missing vectors, and erases what `retention` no longer keeps, behind the work, at most every five minutes; gives at once. */
  maintain(): void;
  /** Resolves when nothing is waiting: for tests and for the end of a command. */
  idle(): Promise<void>;
  /** Ends within two seconds. What could not be stored stays in the outbox. */
  close(): Promise<CloseReport>;
}
