import { CliError } from "./cli-error.ts";
import type { CliMemory } from "./cli-memory.ts";

/** The file of the store. Rejects for a store that is none: `what` is done with its own tools then. */
export async function sqlitePlace(memory: CliMemory, what: string): Promise<string> {
  const { storage } = (await memory.config()).settings;
  if (storage.kind === "sqlite") return storage.path;
  throw new CliError(
    "other_storage",
    `a store of kind ${storage.kind} cannot be ${what} by this command`,
    storage.kind === "postgres" ? "use pg_dump and pg_restore on the schema remem" : "copy its folder",
  );
}
