import type { Embedder, EmbeddingSpace } from "../core/ports/embedder.ts";
import { words } from "../core/text/tokenize.ts";
import { unitVector } from "./unit-vector.ts";

const DIMENSIONS = 256;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Vectors from the letters of words, three at a time: no file, any language, finds words by their parts and with typing
 * errors, and knows nothing of meaning. For languages the static vectors do not know.
 */
export class HashEmbedder implements Embedder {
  readonly immediate = true;
  readonly space: EmbeddingSpace = {
    fingerprint: `letter-hash-${DIMENSIONS}-v1`,
    dimensions: DIMENSIONS,
    weight: 0.15,
  };

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.map(embedText);
  }
}

function embedText(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of words(text)) {
    const letters = [..."<", ...word, ...">"];
    // Each word weighs the same, however long it is.
    const share = 1 / Math.sqrt(Math.max(1, letters.length - 2));
    for (let start = 0; start + 3 <= letters.length; start++) {
      const hash = fnv(letters.slice(start, start + 3).join(""));
      vector[hash % DIMENSIONS]! += (hash & 0x8000_0000) === 0 ? share : -share;
    }
  }
  return unitVector(vector);
}

function fnv(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash >>> 0;
}
