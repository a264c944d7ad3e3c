import type { MemoryRecord, MemoryState, NewMemory } from "./memory/record.ts";
import type { MemoryScope } from "./memory/scope.ts";
import type { Clock } from "./ports/clock.ts";
import type { Embedder } from "./ports/embedder.ts";
import type { AddResult, Entry, ForgetReport, MemoryStore, Selection } from "./ports/memory-store.ts";
import { analyzeQuery } from "./query/analyze-query.ts";
import { type RankedRow, rankRows } from "./ranking/rank.ts";
import { rankSessions } from "./ranking/rank-sessions.ts";
import { WINDOW } from "./ranking/weights.ts";
import { fillBudget } from "./recall/fill-budget.ts";
import { frameAll, frameMemory } from "./recall/frame.ts";
import { judgeRelevance, type Relevance } from "./recall/gate.ts";
import { estimateTokens } from "./text/estimate-tokens.ts";
import { LoadedVectors } from "./vectors/loaded-vectors.ts";
import { packVector } from "./vectors/packed-vector.ts";

export interface EngineOptions {
  readonly store: MemoryStore;
  readonly clock: Clock;
  /** Without one, only words are compared. */
  readonly embedder?: Embedder;
}

export interface SearchOptions {
  /** Where to look. Nothing of another scope is ever given. */
  readonly scopes: readonly MemoryScope[];
  /** Default 10. */
  readonly limit?: number;
  /** Default: what holds and what held once. */
  readonly states?: readonly MemoryState[];
  readonly signal?: AbortSignal;
}

/** A memory that was found, and why. */
export interface Hit {
  readonly record: MemoryRecord;
  readonly score: number;
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
const EMBEDDED_AT_ONCE = 64;
const NEIGHBOURS = { before: WINDOW.before, after: WINDOW.after + 1 };

/** Remembers, finds, recalls and forgets, on any store and with any embedder. Methods reject with what the store rejects with. */
export class MemoryEngine {
  readonly #store: MemoryStore;
  readonly #clock: Clock;
  readonly #embedder: Embedder | undefined;
  readonly #vectors: LoadedVectors | undefined;

  constructor({ store, clock, embedder }: EngineOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#embedder = embedder;
    this.#vectors = embedder === undefined ? undefined : new LoadedVectors(store, embedder);
  }

  /** Writes memories down, all or none, in order. Vectors are made on the way when the embedder answers at once. */
  async remember(memories: readonly NewMemory[]): Promise<AddResult[]> {
    const vectors = this.#embedder?.immediate === true ? await this.#embed(memories.map(embeddedText)) : [];
    const fingerprint = this.#embedder?.space.fingerprint ?? "";
    return this.#store.add(
      memories.map((memory, index): Entry => {
        const packed = vectors[index];
        return packed === undefined ? { memory } : { memory, vector: { fingerprint, packed } };
      }),
    );
  }

  /** Makes vectors that are missing, at most `limit`; gives how many were made. Rejects when the embedder does. */
  async refreshVectors(limit: number, signal?: AbortSignal): Promise<number> {
    const embedder = this.#embedder;
    if (embedder === undefined) return 0;
    const { fingerprint } = embedder.space;
    let made = 0;
    while (made < limit) {
      signal?.throwIfAborted();
      const missing = await this.#store.withoutVector(fingerprint, Math.min(EMBEDDED_AT_ONCE, limit - made));
      const vectors = await embedder.embed(
        missing.map(({ text }) => text),
        "document",
        signal,
      );
      const packed = missing.flatMap(({ row }, index) => {
        const vector = vectors[index];
        const values = vector === undefined ? undefined : packVector(vector);
        return values === undefined ? [] : [{ row, packed: values }];
      });
      // Texts that have no vector would be asked for again and again.
      if (packed.length === 0) break;
      await this.#store.putVectors(fingerprint, packed);
      made += packed.length;
    }
    return made;
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
      .filter(({ score }) => score >= RECALL_SHARE * ranked[0]!.score);
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
    const lexical = await this.#store.lexical({
      terms: analysis.terms,
      scopes,
      states,
      limit: LEXICAL_CANDIDATES,
    });
    signal?.throwIfAborted();
    const numbers = await this.#store.scopeNumbers(scopes);
    const scan = await this.#vectors?.scan(analysis.text, numbers, signal);
    const candidates = new Set([...lexical.rows, ...(scan?.best(VECTOR_CANDIDATES) ?? [])]);
    if (candidates.size === 0) return [];
    const rows = await this.#store.neighbourhood([...candidates], NEIGHBOURS, { scopes, states });
    signal?.throwIfAborted();
    return rankRows({
      analysis,
      rows,
      statistics: lexical.statistics,
      scan,
      vectorWeight: this.#embedder?.space.weight ?? 0,
    });
  }

  async #hits(ranked: readonly RankedRow[]): Promise<Hit[]> {
    const records = await this.#store.records(ranked.map(({ row }) => row.row));
    return ranked.flatMap(({ row, score, parts }) => {
      const record = records.get(row.row);
      return record === undefined ? [] : [{ record, score, parts }];
    });
  }

  async #embed(texts: readonly string[]): Promise<ReturnType<typeof packVector>[]> {
    try {
      const vectors = await this.#embedder!.embed(texts, "document");
      return vectors.map(packVector);
    } catch {
      // Words are found without vectors; refreshVectors makes up for them.
      return [];
    }
  }
}

function embeddedText(memory: NewMemory): string {
  return [memory.title ?? "", memory.text, memory.attachment ?? ""].filter((part) => part !== "").join("\n");
}
