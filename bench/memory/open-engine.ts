import { MemoryEngine } from "../../packages/remem/src/core/engine.ts";
import type { MemoryStore } from "../../packages/remem/src/core/ports/memory-store.ts";
import { StaticEmbedder } from "../../packages/remem/src/embed/static-embedder.ts";
import { openSqliteStore } from "../../packages/remem/src/store/sqlite/open-store.ts";

export interface OpenEngine extends AsyncDisposable {
  readonly engine: MemoryEngine;
  readonly store: MemoryStore;
}

const embedder = new StaticEmbedder();

/** The engine as it is shipped: SQLite, the bundled vectors. `words` leaves the vectors out. */
export async function openEngine(
  path = ":memory:",
  kind: "shipped" | "words" = "shipped",
): Promise<OpenEngine> {
  const clock = { now: () => Date.now() };
  const store = await openSqliteStore({ path, clock });
  const engine = new MemoryEngine({ store, clock, ...(kind === "shipped" ? { embedder } : {}) });
  return { engine, store, [Symbol.asyncDispose]: () => store.close() };
}
