import type { Embedder } from "../ports/embedder.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { VectorIndex, type VectorScan } from "./vector-index.ts";

/** The vectors of one store and space, loaded at the first search and kept up with what any process adds or erases. */
export class LoadedVectors {
  readonly #store: MemoryStore;
  readonly #embedder: Embedder;
  #index: VectorIndex;
  #last = 0;
  #erasures: number | undefined;

  constructor(store: MemoryStore, embedder: Embedder) {
    this.#store = store;
    this.#embedder = embedder;
    this.#index = new VectorIndex(embedder.space.dimensions);
  }

  /** Compares a question with every vector of the scopes; undefined when the embedder does not answer or there is no vector. */
  async scan(
    question: string,
    scopes: ReadonlySet<number>,
    signal?: AbortSignal,
  ): Promise<VectorScan | undefined> {
    let vector: Float32Array | undefined;
    try {
      [vector] = await this.#embedder.embed([question], "query", signal);
    } catch {
      return undefined;
    }
    if (vector === undefined) return undefined;
    await this.#refresh();
    return this.#index.size === 0 ? undefined : this.#index.scan(vector, scopes);
  }

  async #refresh(): Promise<void> {
    let { erasures, vectors } = await this.#store.vectors(this.#embedder.space.fingerprint, this.#last);
    if (this.#erasures !== undefined && erasures !== this.#erasures) {
      this.#index = new VectorIndex(this.#embedder.space.dimensions);
      ({ erasures, vectors } = await this.#store.vectors(this.#embedder.space.fingerprint, 0));
    }
    this.#erasures = erasures;
    for (const { row, scope, packed } of vectors) {
      this.#index.add(row, scope, packed);
      this.#last = row;
    }
  }
}
