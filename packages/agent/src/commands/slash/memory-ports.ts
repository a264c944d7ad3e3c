import type { ClockPort } from "./shared/clock-port.ts";
import type { SettingsPort } from "./shared/settings-port.ts";

/** A memory as people see it in lists. */
export interface ListedMemory {
  id: string;
  /** The unique start of the id. */
  shortId: string;
  kind: string;
  /** Who said it, and whether a person typed it. */
  by: string;
  typed: boolean;
  /** Milliseconds since 1970. */
  at: number;
  /** `active`, `candidate`, `superseded`. */
  state: string;
  pinned: boolean;
  /** One line of it. */
  line: string;
}

/** A memory with where it comes from. */
export interface ShownMemory extends ListedMemory {
  text: string;
  /** Where it holds: `everywhere`, `this project`, `this conversation`. */
  scope: string;
  host: string;
  sessionId: string;
  files: readonly string[];
  subject?: string;
  supersededBy?: string;
}

/** How memory is. */
export interface MemoryReport {
  enabled: boolean;
  /** `absent`: nothing is stored yet. */
  state: "ready" | "absent" | "off" | "unavailable" | "opening" | "closed";
  /** The database file, fit to be shown. */
  file: string;
  /** Whether this conversation's requests declare memory. */
  declared: boolean;
  stores: readonly {
    id: string;
    health: string;
    memories: number;
    candidates: number;
    sessions: number;
    vectors: number;
  }[];
  limits: { start: number; prompt: number; lookbackHours: number };
  capture: CaptureFigures;
  /** Tokens that compression took in this program. */
  spent: number;
}

/** What was taken in by this program, in numbers and reasons. */
export interface CaptureFigures {
  enabled: boolean;
  stored: number;
  pending: number;
  dropped: number;
  joined: number;
  excluded: Readonly<Record<string, number>>;
  redacted: Readonly<Record<string, number>>;
  blocked?: string;
}

/** The last decision to recall something or nothing, and what was kept of this conversation. */
export interface MemoryExplanation {
  recall: {
    kind: string;
    decision: string;
    prompt: string;
    relevance: number;
    tokens: number;
    budget: number;
    milliseconds: number;
    attempts: readonly { provider: string; outcome: string; found: number; milliseconds: number }[];
    hits: readonly { shortId: string; fate: string; score: number; line: string }[];
  } | null;
  kept: readonly { kind: string; outcome: string; reason: string }[];
}

/** What would be erased. */
export interface ForgetQuestion {
  token: string;
  memories: number;
  sessions: number;
  sample: readonly ListedMemory[];
}

/** A proposal of what would have been right. */
export interface WaitingCorrection {
  id: string;
  revision: number;
  /** The prompt that was answered badly. */
  prompt: string;
  statement: string;
  /** Why it cannot be applied as it is; empty: it is recalled for the prompt, and earlier corrections still hold. */
  findings: readonly string[];
}

/** All of these act for the person at the terminal. Each may throw a PiError that says what is wrong with the store or the request. */
export interface MemoryPorts extends SettingsPort, ClockPort {
  memory: {
    enabled(): boolean;
    declared(): boolean;
    /** The switch was changed. */
    switched(): void;
    report(): Promise<MemoryReport>;
    explain(): Promise<MemoryExplanation>;
    search(
      words: string,
      limit: number,
      signal: AbortSignal,
    ): Promise<{ memories: ListedMemory[]; problems: string[] }>;
    recent(limit: number): Promise<ListedMemory[]>;
    /** By its id or the unique start of one. Throws a PiError when there is none, or more than one. */
    find(id: string): Promise<ShownMemory>;
    /** Gives the short id of the new wording. */
    edit(id: string, wording: string): Promise<string>;
    pin(id: string, pinned: boolean): Promise<void>;
    previewForget(what: { ids: readonly string[] } | "session" | "project"): Promise<ForgetQuestion>;
    /** How many memories and summaries were erased. */
    forget(token: string): Promise<{ memories: number; summaries: number }>;
    candidates(): Promise<ShownMemory[]>;
    approve(id: string): Promise<void>;
    reject(id: string): Promise<void>;
    /** What waits of this project because an answer was wrong, each checked on a copy. */
    corrections(signal: AbortSignal): Promise<WaitingCorrection[]>;
    /** Settles a correction; `revision` is what the person has seen. */
    settleCorrection(id: string, revision: number, verdict: "apply" | "reject"): Promise<void>;
  };
}
