/** Which vectors may be compared: only those of one space. */
export interface EmbeddingSpace {
  /** Changes with anything that changes vectors: weights, version, pooling, instructions. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** How much a vector's word counts against the words themselves, 0 to 1. Weak spaces must stay low. */
  readonly weight: number;
}

/** Turns texts into vectors of one space. */
export interface Embedder {
  readonly space: EmbeddingSpace;
  /** It answers in this process within microseconds, so that writing may wait for it. */
  readonly immediate: boolean;
  /** One vector of length 1 a text, in order; all zeros for a text it has no word for. Rejects when it cannot answer: search then goes on without vectors. */
  embed(
    texts: readonly string[],
    purpose: "document" | "query",
    signal?: AbortSignal,
  ): Promise<Float32Array[]>;
}
