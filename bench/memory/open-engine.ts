import { MemoryEngine } from "../../packages/remem/src/core/engine.ts";
import type { Embedder } from "../../packages/remem/src/core/ports/embedder.ts";
import type { MemoryStore } from "../../packages/remem/src/core/ports/memory-store.ts";
import { StaticEmbedder } from "../../packages/remem/src/embed/static-embedder.ts";

export interface OpenEngine extends AsyncDisposable {
  readonly engine: MemoryEngine;
  readonly store: MemoryStore;
}

const embedder = new StaticEmbedder();

/** The engine as it is shipped, with the bundled vectors, on a store that it closes. `vectorWeight` is tried in place of the one of the space. */
export async function openEngine(opening: Promise<MemoryStore>, vectorWeight?: number): Promise<OpenEngine> {
  const store = await opening;
  const engine = new MemoryEngine({
    store,
    clock: { now: () => Date.now() },
    embedder: vectorWeight === undefined ? embedder : weighed(vectorWeight),
  });
  return { engine, store, [Symbol.asyncDispose]: () => store.close() };
}

function weighed(weight: number): Embedder {
  return {
    immediate: embedder.immediate,
    space: { ...embedder.space, weight },
    embed: (texts) => embedder.embed(texts),
  };
}
