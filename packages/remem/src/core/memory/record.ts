import type { MemoryScope } from "./scope.ts";

/** What a memory can be. `prompt`, `answer` and `toolnote` are verbatim pieces of a session; the others are statements of their own. */
export const MEMORY_KINDS = [
  "prompt",
  "answer",
  "toolnote",
  "decision",
  "preference",
  "fact",
  "procedure",
  "task",
  "bugfix",
  "feature",
  "refactor",
  "discovery",
  "change",
  "lesson",
  "summary",
] as const;

export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** Whether a word that was read somewhere names a kind. */
export function isMemoryKind(word: string): word is MemoryKind {
  return (MEMORY_KINDS as readonly string[]).includes(word);
}

/** Kinds that quote a session. They are kept as often as they were said, and never replace one another. */
export const VERBATIM_KINDS: ReadonlySet<MemoryKind> = new Set(["prompt", "answer", "toolnote"]);

/** `candidate` waits for a person's word; `superseded` was true once; `forgotten` is answered for ids that were erased. */
export type MemoryState = "active" | "candidate" | "superseded" | "forgotten";

/** Whether a memory was checked against the world: `stale` says that what it speaks of changed since. */
export type Freshness = "current" | "stale" | "unknown";

export type AuthorRole = "user" | "agent" | "tool" | "import";

/** Where a memory comes from. No row is without it. */
export interface Provenance {
  /** The program that wrote it down: `pi-ts`, `pi`, `opencode`, `remem`. */
  readonly host: string;
  readonly sessionId: string;
  readonly messageId?: string;
  /** Who said it; `name` where people are told apart. */
  readonly author: { readonly role: AuthorRole; readonly name?: string };
  /** A person typed exactly this. Only such a memory carries a person's authority. */
  readonly typed: boolean;
}

/** What a host hands over to be remembered. Times are milliseconds since 1970. */
export interface NewMemory {
  readonly kind: MemoryKind;
  readonly scope: MemoryScope;
  /** One line; empty for verbatim pieces. */
  readonly title?: string;
  readonly text: string;
  /** What came along in words, such as the description of an image. */
  readonly attachment?: string;
  /** Paths this memory is about, relative to the project. */
  readonly files?: readonly string[];
  /** What the statement is about ("package manager"). A newer statement on the same subject in the same scope supersedes the older. */
  readonly subject?: string;
  readonly provenance: Provenance;
  /** When it was said. Default: now. */
  readonly at?: number;
  /** Default `active`. */
  readonly state?: "active" | "candidate";
}

export interface MemoryRecord {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly scope: MemoryScope;
  readonly title: string;
  readonly text: string;
  readonly attachment: string;
  readonly files: readonly string[];
  readonly subject: string | undefined;
  readonly provenance: Provenance;
  /** When it was said. */
  readonly at: number;
  /** When it was written down. */
  readonly recordedAt: number;
  /** When it stopped being true; undefined while it holds. */
  readonly validTo: number | undefined;
  readonly freshness: Freshness;
  readonly state: MemoryState;
  /** A person wants it before the model at the start of every session. */
  readonly pinned: boolean;
  readonly supersededBy: string | undefined;
}
