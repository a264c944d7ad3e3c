import type { SessionSummary } from "../ports/memory-store.ts";
import type { MemoryRecord } from "./record.ts";

/** One thing on its way from one store, file or program to another. */
export type TransferItem =
  | { readonly type: "memory"; readonly record: MemoryRecord }
  | { readonly type: "summary"; readonly summary: SessionSummary }
  /** A row or a file that cannot be read; where it is, and what is wrong with it. Its text is never quoted. */
  | { readonly type: "broken"; readonly where: string; readonly reason: string };

export type TransferSource = AsyncIterable<TransferItem>;
