import { closeSync, openSync } from "node:fs";

/** Why a copy of a store lies beside it; the words in its name. */
export type KeptBecause = "bak" | "before-restore" | "damaged";

const OWNER_FILE = 0o600;

/** The name of a copy beside a store: `store.db.bak-2026-11-30T12-00-00-000Z`. */
export function keptName(path: string, because: KeptBecause, now: number): string {
  return `${path}.${because}-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
}

/** Makes an empty file of this name that only its owner reads, or of the next free one; gives its name. Never takes a file that is there. */
export function newOwnFile(name: string): string {
  for (let index = 1; ; index++) {
    const candidate = index === 1 ? name : `${name}-${index}`;
    try {
      closeSync(openSync(candidate, "wx", OWNER_FILE));
      return candidate;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
