import { existsSync } from "node:fs";
import type { MemorySettings } from "./config/memory-config.ts";
import { holdsOutboxes, outboxFolder } from "./outbox/left-outboxes.ts";

/**
 * Whether there may be anything to recall, without opening a thing: a store that is there or has an address, another place to read from, or
 * (with `outboxes`) what earlier processes have left to be stored.
 */
export function mayRemember(
  { storage, providers }: Pick<MemorySettings, "storage" | "providers">,
  outboxes: boolean,
): boolean {
  return (
    storage.kind === "postgres" ||
    providers.length > 0 ||
    existsSync(storage.path) ||
    (outboxes && holdsOutboxes(outboxFolder(storage.path)))
  );
}
