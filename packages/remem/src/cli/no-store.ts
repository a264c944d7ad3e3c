import type { CliMemory } from "./cli-memory.ts";

/** What is said where there is no store yet. */
export async function noStore(memory: CliMemory): Promise<string> {
  const { storage } = (await memory.config()).settings;
  return storage.kind === "postgres"
    ? "Nothing is remembered yet."
    : `Nothing is remembered yet: there is no store at ${storage.path}.`;
}
