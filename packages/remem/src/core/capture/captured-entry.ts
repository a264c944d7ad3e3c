import type { NewMemory } from "../memory/record.ts";

/** What an entry is worth when there is no room: what a person typed is never dropped. */
export type EntryWeight = "typed" | "answer" | "tool";

/** One memory on its way to the store: screened, and known by an id that is the same whenever the same input is seen. */
export interface CapturedEntry {
  readonly id: string;
  readonly weight: EntryWeight;
  readonly memory: NewMemory;
}

/** Where entries go. */
export interface CaptureSink {
  /** Keeps entries until they are stored, so that a crash does not lose them. Never throws; gives how many could not be kept. */
  keep(entries: readonly CapturedEntry[]): number;
  /** Forgets entries that were dropped. Never throws. */
  discard(entries: readonly CapturedEntry[]): void;
  /** Stores entries, in order; those that are known already are joined. Rejects when the store cannot take them now. */
  store(entries: readonly CapturedEntry[]): Promise<{ readonly stored: number; readonly joined: number }>;
}
