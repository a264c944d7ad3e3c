import type { Clock } from "../ports/clock.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { EngineState } from "../ports/engine-state.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { SYSTEM_SCHEDULER, type Timers } from "../ports/scheduler.ts";
import { SpaceFiller, type Stage } from "./fill-space.ts";
import { type PackedVector, storedVector } from "./packed-vector.ts";
import { VectorSpaces, type WeighedScan } from "./vector-spaces.ts";

/** What vectors an engine works with. */
export interface VectorOptions {
  readonly embedder: Embedder;
  /**
   * Embedders the store had before. While the space of `embedder` is filled, their vectors still serve; then these are removed. Name only
   * what nobody else who uses the store still works with.
   */
  readonly earlier?: readonly Embedder[];
  /** Keeps two processes from making the same vectors. */
  readonly leases?: Pick<EngineState, "takeLease" | "giveLease">;
  readonly scheduler?: Timers;
  /** The longest a search waits for the vector of its question, in milliseconds. Default 300. */
  readonly questionBudgetMs?: number;
}

/** How far the vectors of a store are. */
export interface VectorStatus {
  /** The space that is wanted. */
  readonly fingerprint: string;
  /** Memories that are settled in it: with a vector, or known to have none. */
  readonly settled: number;
  readonly memories: number;
  /** The space that questions are compared in; undefined: words only. */
  readonly inUse: string | undefined;
  /** The code or the name of what went wrong last; undefined while all is well. */
  readonly trouble: string | undefined;
}

const QUESTION_BUDGET_MS = 300;

/** All that an engine does with vectors: making them, keeping them up to date, asking them. */
export class EngineVectors {
  readonly #store: MemoryStore;
  readonly #embedder: Embedder;
  readonly #spaces: VectorSpaces;
  readonly #filler: SpaceFiller;

  constructor(store: MemoryStore, clock: Clock, options: VectorOptions) {
    const { embedder, earlier = [], leases, scheduler = SYSTEM_SCHEDULER } = options;
    this.#store = store;
    this.#embedder = embedder;
    this.#spaces = new VectorSpaces(store, embedder, earlier, {
      clock,
      scheduler,
      budgetMs: options.questionBudgetMs ?? QUESTION_BUDGET_MS,
    });
    this.#filler = new SpaceFiller({
      store,
      clock,
      embedder,
      replaced: earlier
        .map(({ space }) => space.fingerprint)
        .filter((fingerprint) => fingerprint !== embedder.space.fingerprint),
      leases,
      owner: crypto.randomUUID(),
    });
  }

  /** Vectors of texts that are being written down, where that costs no wait; undefined where it does, or for one that failed. */
  async written(
    texts: readonly string[],
  ): Promise<readonly ({ readonly fingerprint: string; readonly packed: PackedVector } | undefined)[]> {
    const writer = await this.#spaces.writer();
    if (writer === undefined) return [];
    const { fingerprint, dimensions } = writer.space;
    try {
      return (await writer.embed(texts, "document")).map((vector) => {
        const packed = storedVector(vector, dimensions);
        return packed === undefined ? undefined : { fingerprint, packed };
      });
    } catch {
      // Words are found without vectors; the next stage makes up for them.
      return [];
    }
  }

  /** What vectors say to a question; undefined when they say nothing in time. Rejects with the signal's reason only, or with what the store rejects with. */
  scan(
    question: string,
    scopes: ReadonlySet<number>,
    signal: AbortSignal | undefined,
  ): Promise<WeighedScan | undefined> {
    return this.#spaces.scan(question, scopes, signal);
  }

  /** One bounded stage of making what is missing. */
  fill(limit: number, signal?: AbortSignal): Promise<Stage> {
    return this.#filler.stage(limit, signal);
  }

  async status(): Promise<VectorStatus> {
    const { fingerprint } = this.#embedder.space;
    const { memories, vectors } = await this.#store.status();
    const { fingerprint: inUse, trouble } = await this.#spaces.inUse();
    return {
      fingerprint,
      settled: vectors[fingerprint] ?? 0,
      memories,
      inUse,
      trouble: this.#filler.trouble ?? trouble,
    };
  }
}
