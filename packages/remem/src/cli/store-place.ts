import { CliError } from "./cli-error.ts";
import type { CliMemory } from "./cli-memory.ts";

/** The file of the store. Rejects for a store that is none: `what` is done with its own tools then. */
export async function sqlitePlace(memory: CliMemory, what: string): Promise<string> {
  const { storage } = (await memory.config()).settings;
  if (storage.kind === "sqlite") return storage.path;
  throw new CliError(
    "other_storage",
    `a store of kind ${storage.kind} cannot be ${what} by this command`,
    storage.kind === "postgres" ? "its own tools do that" : "copy its folder",
  );
}

/** The address of a PostgreSQL store; undefined for any other kind. */
export async function postgresUrl(memory: CliMemory): Promise<string | undefined> {
  const { storage } = (await memory.config()).settings;
  return storage.kind === "postgres" ? storage.databaseUrl : undefined;
}

/** A new name for a backup of a PostgreSQL store: it has no folder of its own to be put into. */
export function backupName(what: "backup" | "before-restore", now: number): string {
  return `remem-${what}-${new Date(now).toISOString().replace(/[-:]/g, "").replace(/\..*/, "")}.jsonl`;
}
