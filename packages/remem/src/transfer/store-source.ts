import type { TransferSource } from "../core/memory/transfer-item.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import { scanParts } from "./scan-parts.ts";

const ITEMS_AT_ONCE = 500;

/** Everything a store has, in the order it was written, and what of it cannot be read. It is read in parts: a store of any size may be copied. */
export async function* storeSource(store: MemoryStore, signal?: AbortSignal): TransferSource {
  for await (const record of scanParts((after) => store.scan(after, ITEMS_AT_ONCE), signal))
    yield { type: "memory", record };
  for await (const summary of scanParts((after) => store.scanSummaries(after, ITEMS_AT_ONCE), signal))
    yield { type: "summary", summary };
  for (const problem of await store.check()) {
    const colon = problem.indexOf(": ");
    yield { type: "broken", where: problem.slice(0, colon), reason: problem.slice(colon + 2) };
  }
}
