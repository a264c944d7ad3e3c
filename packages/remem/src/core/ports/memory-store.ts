import type {
  AuthorRole,
  Freshness,
  MemoryKind,
  MemoryRecord,
  MemoryState,
  NewMemory,
} from "../memory/record.ts";
import type { MemoryScope } from "../memory/scope.ts";
import type { PackedVector } from "../vectors/packed-vector.ts";

/** What became of a memory that was handed over. */
export type AddResult =
  | {
      readonly outcome: "added";
      readonly id: string;
      readonly state: MemoryState;
      readonly superseded: readonly string[];
    }
  /** The same statement is there already. */
  | { readonly outcome: "known"; readonly id: string }
  /** It was erased once, by a person; it does not come back by itself. */
  | { readonly outcome: "forgotten" };

/** A memory with the vector of its text in one space, if there is one. */
export interface Entry {
  readonly memory: NewMemory;
  readonly vector?: { readonly fingerprint: string; readonly packed: PackedVector };
}

export interface LexicalQuery {
  /** Index terms, at least one of which must occur. */
  readonly terms: readonly string[];
  readonly scopes: readonly MemoryScope[];
  readonly states: readonly MemoryState[];
  /** Only memories of these kinds; absent: of all. */
  readonly kinds?: readonly MemoryKind[];
  /** At most so many rows. */
  readonly limit: number;
}

/** Rows with at least one term, roughly the best first, and what their terms are worth in this store. */
export interface LexicalHits {
  readonly rows: readonly number[];
  readonly statistics: CorpusStatistics;
}

export interface CorpusStatistics {
  readonly documents: number;
  readonly sessions: number;
  /** Terms of all documents together. */
  readonly terms: number;
  /** In how many documents a term occurs; terms of the query only. */
  readonly frequency: ReadonlyMap<string, number>;
}

/** A memory as the ranking sees it: no text, only terms and marks. */
export interface RankingRow {
  readonly row: number;
  /** Rows of one session have one number and follow each other by `sequence`. */
  readonly session: number;
  readonly sequence: number;
  readonly at: number;
  readonly kind: MemoryKind;
  readonly state: MemoryState;
  readonly freshness: Freshness;
  readonly authorRole: AuthorRole;
  readonly authorName: string;
  /** Bits of CUE. */
  readonly cues: number;
  /** Different terms of the title and text. */
  readonly variety: number;
  readonly title: string;
  readonly body: string;
  readonly details: string;
  readonly origin: string;
}

/** Which memories are meant; the parts given must all hold. */
export interface Selection {
  readonly ids?: readonly string[];
  readonly scope?: MemoryScope;
  readonly sessionId?: string;
  /** Said at or after this time, and before that one. */
  readonly from?: number;
  readonly before?: number;
  readonly states?: readonly MemoryState[];
  readonly kinds?: readonly MemoryKind[];
  readonly pinned?: boolean;
}

/** What `mark` may change. */
export interface MemoryChange {
  readonly state?: "active" | "candidate";
  readonly freshness?: Freshness;
  readonly pinned?: boolean;
}

export interface ForgetReport {
  readonly memories: number;
  readonly vectors: number;
  readonly summaries: number;
}

export interface StoredVector {
  readonly row: number;
  readonly scope: number;
  readonly packed: PackedVector;
}

/** A part of a longer list. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly next: number | null;
}

/** `known`: the id or the same statement is there already. `forgotten`: it was erased once and stays so. */
export type RestoreOutcome = "added" | "known" | "forgotten";

/** A session as it is listed. */
export interface SessionRecord {
  readonly sessionId: string;
  readonly project: string;
  readonly startedAt: number;
  readonly status: "active" | "ended";
}

/** What one session came to. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly project: string;
  readonly request: string;
  readonly investigated: string;
  readonly learned: string;
  readonly completed: string;
  readonly nextSteps: string;
  readonly at: number;
}

export interface StoreStatus {
  readonly memories: number;
  readonly byState: Readonly<Partial<Record<MemoryState, number>>>;
  readonly sessions: number;
  /** Vectors of each space, by fingerprint. */
  readonly vectors: Readonly<Record<string, number>>;
}

/**
 * Where memories are kept. Many processes may use one store at once; each method is one transaction. Methods reject with a
 * StoreError and never lose what was acknowledged. Scopes are enforced here: no method gives a row of a scope not asked for.
 */
export interface MemoryStore {
  /** Adds all or none, in order; subjects, duplicates and tombstones are settled in the same transaction. */
  add(entries: readonly Entry[]): Promise<AddResult[]>;
  /** The records of these ids, in their order; unknown and erased ids are left out. */
  get(ids: readonly string[], scopes?: readonly MemoryScope[]): Promise<MemoryRecord[]>;
  /** The selected records, newest first. */
  list(selection: Selection, limit: number): Promise<MemoryRecord[]>;
  /** The records before and after one in its session, itself included, in their order. Empty for an unknown id. */
  timeline(id: string, before: number, after: number): Promise<MemoryRecord[]>;
  lexical(query: LexicalQuery): Promise<LexicalHits>;
  /**
   * These rows, each once, and around those that were said (VERBATIM_KINDS) the rows within `reach` in their sessions, as far
   * as scopes and states allow.
   */
  neighbourhood(
    rows: readonly number[],
    reach: { readonly before: number; readonly after: number },
    limits: { readonly scopes: readonly MemoryScope[]; readonly states: readonly MemoryState[] },
  ): Promise<RankingRow[]>;
  /** The records of ranking rows, as far as they are still there. */
  records(rows: readonly number[]): Promise<ReadonlyMap<number, MemoryRecord>>;
  /** The store's numbers of these scopes; scopes without memories have none. */
  scopeNumbers(scopes: readonly MemoryScope[]): Promise<ReadonlySet<number>>;
  /** Vectors of a space with a row number above `after`, ascending, and how often rows were erased or vectors replaced so far. */
  vectors(
    fingerprint: string,
    after: number,
  ): Promise<{ readonly erasures: number; readonly vectors: readonly StoredVector[] }>;
  /** Memories without a vector of this space, oldest first. */
  withoutVector(
    fingerprint: string,
    limit: number,
  ): Promise<{ readonly row: number; readonly text: string }[]>;
  putVectors(
    fingerprint: string,
    vectors: readonly { readonly row: number; readonly packed: PackedVector }[],
  ): Promise<void>;
  /** Removes a space that another one replaced, with all its vectors; gives how many. Counts as an erasure. */
  removeVectors(fingerprint: string): Promise<number>;
  /**
   * Marks memories: a candidate approved, a statement stale or pinned. Gives how many there were. A candidate that becomes active
   * supersedes what it speaks of, as if it were typed now.
   */
  mark(ids: readonly string[], change: MemoryChange): Promise<number>;
  /**
   * A person's new wording of a memory: it is added (as `add` would), and the old one becomes superseded by it, in one transaction.
   * Null when there is no such memory, or it was erased.
   */
  replace(id: string, entry: Entry): Promise<AddResult | null>;
  /**
   * Erases the selected memories everywhere: rows, indexes, vectors, and from the file's free pages. With `tombstones` (the default) the
   * same text is not learned again; without them (retention) it may be.
   */
  forget(
    selection: Selection,
    at: number,
    options?: { readonly tombstones?: boolean },
  ): Promise<ForgetReport>;
  /** Which of these texts were erased from their scopes once. */
  forgotten(memories: readonly Pick<NewMemory, "scope" | "title" | "text">[]): Promise<boolean[]>;
  startSession(session: SessionRecord): Promise<void>;
  endSession(sessionId: string): Promise<void>;
  addSummary(summary: SessionSummary): Promise<void>;
  /** The newest summaries of a project, newest first. */
  summaries(project: string, limit: number): Promise<SessionSummary[]>;
  /**
   * Everything in the order it was written, for copying a store: at most `limit` from `after` on (0: from the start), and the `after` of the next part;
   * null when there is no more.
   */
  scan(after: number, limit: number): Promise<Part<MemoryRecord>>;
  scanSummaries(after: number, limit: number): Promise<Part<SessionSummary>>;
  /**
   * Puts records of another store in as they are: id, state and times included. All or none. A statement that holds meets what is known on its
   * subject as in `add`. A successor that is not here yet is linked when it comes.
   */
  restore(records: readonly MemoryRecord[]): Promise<RestoreOutcome[]>;
  status(): Promise<StoreStatus>;
  /** Checks the store against itself; gives what is wrong, in words. Empty: nothing. */
  check(): Promise<string[]>;
  close(): Promise<void>;
}
