import type { EmbeddingSpace } from "../ports/embedder.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { isBlank } from "./packed-vector.ts";
import { VectorIndex, type VectorScan } from "./vector-index.ts";

/** The vectors of one store and space, loaded at the first use and kept up with what any process adds or erases. */
export class LoadedVectors {
  readonly #store: Pick<MemoryStore, "vectors">;
  readonly #space: EmbeddingSpace;
  #index: VectorIndex;
  /** Rows whose text has no vector in this space. */
  #blank = new Set<number>();
  #last = 0;
  #erasures: number | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(store: Pick<MemoryStore, "vectors">, space: EmbeddingSpace) {
    this.#store = store;
    this.#space = space;
    this.#index = new VectorIndex(space.dimensions);
  }

  /** Memories that are settled in this space: with a vector, or known to have none. As of the last `refresh`. */
  get settled(): number {
    return this.#index.size + this.#blank.size;
  }

  /** Reads what came since the last time; everything when something was erased or replaced. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Compares a vector with every one of the scopes; undefined when there is none. */
  scan(question: Float32Array, scopes: ReadonlySet<number>): VectorScan | undefined {
    return this.#index.size === 0 ? undefined : this.#index.scan(question, scopes);
  }

  async #load(): Promise<void> {
    const { fingerprint, dimensions } = this.#space;
    let { erasures, vectors } = await this.#store.vectors(fingerprint, this.#last);
    if (this.#erasures !== undefined && erasures !== this.#erasures) {
      ({ erasures, vectors } = await this.#store.vectors(fingerprint, 0));
      this.#index = new VectorIndex(dimensions);
      this.#blank = new Set();
      this.#last = 0;
    }
    this.#erasures = erasures;
    for (const { row, scope, packed } of vectors) {
      // A store may hold what an older version let in; one bad row must not end every search.
      if (packed.values.length !== dimensions) continue;
      if (isBlank(packed)) this.#blank.add(row);
      else this.#index.add(row, scope, packed);
      this.#last = row;
    }
  }
}
