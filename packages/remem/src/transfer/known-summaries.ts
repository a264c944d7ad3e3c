import { createHash } from "node:crypto";
import type { MemoryStore, SessionSummary } from "../core/ports/memory-store.ts";
import { scanParts } from "./scan-parts.ts";

const SUMMARIES_AT_ONCE = 500;

/** Which summaries a store has already; read when the first one is asked for. */
export class KnownSummaries {
  readonly #store: MemoryStore;
  #hashes: Set<string> | undefined;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async has(summary: SessionSummary): Promise<boolean> {
    this.#hashes ??= await this.#read();
    return this.#hashes.has(hashOf(summary));
  }

  add(summary: SessionSummary): void {
    this.#hashes?.add(hashOf(summary));
  }

  async #read(): Promise<Set<string>> {
    const hashes = new Set<string>();
    const all = scanParts((after) => this.#store.scanSummaries(after, SUMMARIES_AT_ONCE));
    for await (const summary of all) hashes.add(hashOf(summary));
    return hashes;
  }
}

function hashOf(summary: SessionSummary): string {
  const { sessionId, project, request, investigated, learned, completed, nextSteps, at } = summary;
  const parts = [sessionId, project, request, investigated, learned, completed, nextSteps, at];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
