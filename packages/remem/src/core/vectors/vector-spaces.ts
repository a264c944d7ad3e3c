import type { Embedder } from "../ports/embedder.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { LoadedVectors } from "./loaded-vectors.ts";
import { type QuestionOptions, QuestionVectors } from "./question-vectors.ts";
import type { VectorScan } from "./vector-index.ts";

/** What vectors say to a question, and how much that counts. */
export interface WeighedScan {
  readonly scan: VectorScan;
  readonly weight: number;
}

interface Space {
  readonly questions: QuestionVectors;
  readonly vectors: LoadedVectors;
}

/**
 * The spaces a store may have vectors of: the one that is wanted, and earlier ones that still serve while it is filled. Questions are
 * compared in the space that knows most memories; the wanted one wins as soon as no earlier one knows more.
 */
export class VectorSpaces {
  readonly wanted: Embedder;
  readonly #wanted: Space;
  #earlier: readonly Space[];
  #looked = false;

  constructor(
    store: Pick<MemoryStore, "vectors">,
    wanted: Embedder,
    earlier: readonly Embedder[],
    options: QuestionOptions,
  ) {
    const spaceOf = (embedder: Embedder): Space => ({
      questions: new QuestionVectors(embedder, options),
      vectors: new LoadedVectors(store, embedder.space),
    });
    this.wanted = wanted;
    this.#wanted = spaceOf(wanted);
    this.#earlier = earlier
      .filter(({ space }) => space.fingerprint !== wanted.space.fingerprint)
      .map(spaceOf);
  }

  /** Undefined when no space has both vectors of the store and one of the question. */
  async scan(
    question: string,
    scopes: ReadonlySet<number>,
    signal: AbortSignal | undefined,
  ): Promise<WeighedScan | undefined> {
    for (const { questions, vectors } of await this.#byCoverage()) {
      const vector = await questions.vectorOf(question, signal);
      signal?.throwIfAborted();
      const scan = vector === undefined ? undefined : vectors.scan(vector, scopes);
      if (scan !== undefined) return { scan, weight: questions.embedder.space.weight };
    }
    return undefined;
  }

  /** Who makes vectors of new memories while they are written down: one that answers at once, of a space that is in use. */
  async writer(): Promise<Embedder | undefined> {
    if (this.wanted.immediate) return this.wanted;
    if (this.#earlier.length === 0) return undefined;
    if (!this.#looked) await this.#byCoverage();
    return this.#earlier.map(({ questions }) => questions.embedder).find(({ immediate }) => immediate);
  }

  /** The space that questions are compared in, and what went wrong with the wanted one last. */
  async inUse(): Promise<{ readonly fingerprint: string | undefined; readonly trouble: string | undefined }> {
    const [first] = await this.#byCoverage();
    return {
      fingerprint: first?.questions.embedder.space.fingerprint,
      trouble: this.#wanted.questions.trouble,
    };
  }

  /** The spaces that have vectors, the one that knows most memories first. */
  async #byCoverage(): Promise<Space[]> {
    await this.#wanted.vectors.refresh();
    for (const { vectors } of this.#earlier) await vectors.refresh();
    this.#looked = true;
    // An earlier space that is empty was replaced, or was never in use; nothing of it is kept in memory.
    this.#earlier = this.#earlier.filter(({ vectors }) => vectors.settled > 0);
    return [this.#wanted, ...this.#earlier]
      .filter(({ vectors }) => vectors.settled > 0)
      .sort((a, b) => b.vectors.settled - a.vectors.settled);
  }
}
