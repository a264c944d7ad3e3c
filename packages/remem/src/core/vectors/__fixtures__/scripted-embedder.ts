import type { Embedder } from "../../ports/embedder.ts";

/** An embedder whose vectors point where the first letter of a text says; tests make it fail or wait. */
export class ScriptedEmbedder implements Embedder {
  readonly space: Embedder["space"];
  readonly immediate: boolean;
  /** All texts it was asked for, by purpose. */
  readonly asked: { readonly document: string[]; readonly query: string[] } = { document: [], query: [] };
  /** Called before each answer; what it throws or waits for, the caller gets. */
  before: (signal: AbortSignal | undefined) => Promise<void> | void = () => undefined;

  constructor(fingerprint: string, { immediate = false, weight = 0.9 } = {}) {
    this.space = { fingerprint, dimensions: 26, weight };
    this.immediate = immediate;
  }

  async embed(
    texts: readonly string[],
    purpose: "document" | "query",
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    this.asked[purpose].push(...texts);
    await this.before(signal);
    return texts.map(letterVector);
  }
}

/** All zeros for a text that does not begin with a letter of a to z. */
function letterVector(text: string): Float32Array {
  const vector = new Float32Array(26);
  const letter = text.toLowerCase().charCodeAt(0) - 97;
  if (letter >= 0 && letter < vector.length) vector[letter] = 1;
  return vector;
}
