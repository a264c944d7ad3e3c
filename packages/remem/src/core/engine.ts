import type { MemoryKind, MemoryRecord, MemoryState, NewMemory } from "./memory/record.ts";
import type { MemoryScope } from "./memory/scope.ts";
import type { Clock } from "./ports/clock.ts";
import type { AddResult, Entry, ForgetReport, MemoryStore, Selection } from "./ports/memory-store.ts";
import { analyzeQuery } from "./query/analyze-query.ts";
import { type RankedRow, rankRows } from "./ranking/rank.ts";
import { rankSessions } from "./ranking/rank-sessions.ts";
import { WINDOW } from "./ranking/weights.ts";
import { fillBudget } from "./recall/fill-budget.ts";
import { frameAll, frameMemory } from "./recall/frame.ts";
import { judgeRelevance, type Relevance } from "./recall/gate.ts";
import { embeddedText } from "./text/embedded-text.ts";
import { estimateTokens } from "./text/estimate-tokens.ts";
import { EngineVectors, type VectorOptions, type VectorStatus } from "./vectors/engine-vectors.ts";
import type { WeighedScan } from "./vectors/vector-spaces.ts";

/** Without an `embedder`, only words are compared. */
export interface EngineOptions extends Partial<VectorOptions> {
  readonly store: MemoryStore;
  readonly clock: Clock;
}

export interface SearchOptions {
  /** Where to look. Nothing of another scope is ever given. */
  readonly scopes: readonly MemoryScope[];
  /** Default 10. */
  readonly limit?: number;
  /** Default: what holds and what held once. */
  readonly states?: readonly MemoryState[];
  /** Only memories of these kinds; the others around them still tell what they are about. */
  readonly kinds?: readonly MemoryKind[];
  readonly signal?: AbortSignal;
}

/** A memory that was found, and why. */
export interface Hit {
  readonly record: MemoryRecord;
  /** What hits are ordered by. */
  readonly score: number;
  /** The score without what the session around it adds: what counts when a memory is put before a model unasked. */
  readonly alone: number;
  readonly parts: RankedRow["parts"];
}

export interface SearchResult {
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly relevance: Relevance;
}

export interface RecallOptions extends SearchOptions {
  /** Most tokens of the text, its frame included. */
  readonly budget: number;
}

/** What is put before a model. */
export interface Recall {
  /** Empty when nothing qualifies. */
  readonly text: string;
  readonly tokens: number;
  /** What is in the text, in its order. */
  readonly hits: readonly Hit[];
  /** What qualified and did not fit. */
  readonly omitted: readonly Hit[];
  readonly relevance: Relevance;
}

/** A session that was found, and its best memory. */
export interface SessionHit {
  readonly sessionId: string;
  readonly score: number;
  readonly best: MemoryRecord;
}

const DEFAULT_LIMIT = 10;
/** Rows that words and vectors may propose; ranking reads these and their neighbours. */
const LEXICAL_CANDIDATES = 300;
const VECTOR_CANDIDATES = 60;
const RECALL_CANDIDATES = 50;
/** A memory far below the best one is not worth its tokens. */
const RECALL_SHARE = 0.25;
const NEIGHBOURS = { before: WINDOW.before, after: WINDOW.after + 1 };

/** Remembers, finds, recalls and forgets, on any store and with any embedder. Methods reject with what the store rejects with. */
export class MemoryEngine {
  readonly #store: MemoryStore;
  readonly #clock: Clock;
  readonly #vectors: EngineVectors | undefined;

  constructor({ store, clock, embedder, ...vectors }: EngineOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#vectors =
      embedder === undefined ? undefined : new EngineVectors(store, clock, { ...vectors, embedder });
  }

  /** Writes memories down, all or none, in order. Vectors are made on the way when the embedder answers at once. */
  async remember(memories: readonly NewMemory[]): Promise<AddResult[]> {
    return this.#store.add(await this.entries(memories));
  }

  /** Memories as the store takes them, with their vectors when the embedder answers at once. */
  async entries(memories: readonly NewMemory[]): Promise<Entry[]> {
    const vectors = (await this.#vectors?.written(memories.map(embeddedText))) ?? [];
    return memories.map((memory, index): Entry => {
      const vector = vectors[index];
      return vector === undefined ? { memory } : { memory, vector };
    });
  }

  /**
   * Makes vectors that are missing, at most `limit`; gives how many were made: 0 when there is nothing to do, when another process is at
   * it, and for five minutes after a failure. Rejects when the embedder does.
   */
  async refreshVectors(limit: number, signal?: AbortSignal): Promise<number> {
    return (await this.#vectors?.fill(limit, signal))?.made ?? 0;
  }

  /** How far the vectors are; undefined without an embedder. */
  async vectorStatus(): Promise<VectorStatus | undefined> {
    return this.#vectors?.status();
  }

  /** The memories that answer a question best. */
  async search(question: string, options: SearchOptions): Promise<SearchResult> {
    const ranked = await this.#rank(question, options);
    return {
      hits: await this.#hits(ranked.slice(0, options.limit ?? DEFAULT_LIMIT)),
      relevance: judgeRelevance(ranked),
    };
  }

  /** The sessions that speak of a question most. */
  async searchSessions(question: string, options: SearchOptions): Promise<SessionHit[]> {
    const sessions = rankSessions(await this.#rank(question, options)).slice(
      0,
      options.limit ?? DEFAULT_LIMIT,
    );
    const records = await this.#store.records(sessions.map(({ rows }) => rows[0]!));
    return sessions.flatMap(({ score, rows }) => {
      const best = records.get(rows[0]!);
      return best === undefined ? [] : [{ sessionId: best.provenance.sessionId, score, best }];
    });
  }

  /** What a model should be shown for a prompt that did not ask for memories: bounded, attributed, inert, or nothing. */
  async recall(prompt: string, options: RecallOptions): Promise<Recall> {
    const states = options.states ?? ["active"];
    const ranked = await this.#rank(prompt, { ...options, states });
    const relevance = judgeRelevance(ranked);
    const nothing: Recall = { text: "", tokens: 0, hits: [], omitted: [], relevance };
    if (!relevance.qualifies) return nothing;
    const worth = ranked
      .slice(0, options.limit ?? RECALL_CANDIDATES)
      .filter(({ alone }) => alone >= RECALL_SHARE * ranked[0]!.score);
    const hits = await this.#hits(worth);
    const overhead = estimateTokens(frameAll([], worth.length));
    const { taken, omitted, tokens } = fillBudget(
      hits,
      ({ record }) => frameMemory(record),
      options.budget,
      overhead,
    );
    if (taken.length === 0) return { ...nothing, omitted };
    const text = frameAll(
      taken.map(({ record }) => frameMemory(record)),
      omitted.length,
    );
    return { text, tokens, hits: taken, omitted, relevance };
  }

  /** Erases memories everywhere; says how much was erased. */
  async forget(selection: Selection): Promise<ForgetReport> {
    return this.#store.forget(selection, this.#clock.now());
  }

  async #rank(question: string, options: SearchOptions): Promise<RankedRow[]> {
    const { scopes, signal } = options;
    const states = options.states ?? ["active", "superseded"];
    const analysis = analyzeQuery(question);
    if (analysis.terms.length === 0) return [];
    // A store behind a network answers both in the time of one.
    const [lexical, weighed] = await Promise.all([
      this.#store.lexical({
        terms: analysis.terms,
        scopes,
        states,
        limit: LEXICAL_CANDIDATES,
        ...(options.kinds === undefined ? {} : { kinds: options.kinds }),
      }),
      this.#scan(analysis.text, scopes, signal),
    ]);
    signal?.throwIfAborted();
    const candidates = new Set([...lexical.rows, ...(weighed?.scan.best(VECTOR_CANDIDATES) ?? [])]);
    if (candidates.size === 0) return [];
    const rows = await this.#store.neighbourhood([...candidates], NEIGHBOURS, { scopes, states });
    signal?.throwIfAborted();
    const ranked = rankRows({
      analysis,
      rows,
      statistics: lexical.statistics,
      scan: weighed?.scan,
      vectorWeight: weighed?.weight ?? 0,
    });
    const kinds = options.kinds === undefined ? undefined : new Set(options.kinds);
    return kinds === undefined ? ranked : ranked.filter(({ row }) => kinds.has(row.kind));
  }

  async #scan(
    question: string,
    scopes: readonly MemoryScope[],
    signal: AbortSignal | undefined,
  ): Promise<WeighedScan | undefined> {
    if (this.#vectors === undefined) return undefined;
    return this.#vectors.scan(question, await this.#store.scopeNumbers(scopes), signal);
  }

  async #hits(ranked: readonly RankedRow[]): Promise<Hit[]> {
    const records = await this.#store.records(ranked.map(({ row }) => row.row));
    return ranked.flatMap(({ row, score, alone, parts }) => {
      const record = records.get(row.row);
      return record === undefined ? [] : [{ record, score, alone, parts }];
    });
  }
}
