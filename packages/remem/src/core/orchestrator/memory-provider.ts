import type { SearchOptions, SearchResult } from "../engine.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

/** The searching part of a provider; a `MemoryEngine` is one. */
export interface ProviderEngine {
  search(question: string, options: SearchOptions): Promise<SearchResult>;
}

/** The reading part of a provider; every `MemoryStore` is one. */
export type ProviderStore = Pick<MemoryStore, "get" | "list" | "timeline" | "summaries" | "status">;

/** One place memories come from. Whatever it does (reject, hang, answer nonsense), the others are asked as well. */
export interface MemoryProvider {
  readonly id: string;
  readonly engine: ProviderEngine;
  readonly store: ProviderStore;
  /** How long one question to it may take, in milliseconds; its part is then left out. */
  readonly timeoutMs: number;
  /** What is learned goes here; at most one provider is primary. */
  readonly primary: boolean;
}
