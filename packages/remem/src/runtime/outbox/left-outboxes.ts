import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseOutboxName } from "./outbox-file.ts";

/** Where the outboxes of the store at `path` lie. */
export function outboxFolder(path: string): string {
  return join(dirname(path), "outbox");
}

/** Whether a folder holds outboxes: of processes that are gone, or of ones that still run. */
export function holdsOutboxes(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => parseOutboxName(name) !== undefined);
  } catch {
    // It was never made.
    return false;
  }
}
