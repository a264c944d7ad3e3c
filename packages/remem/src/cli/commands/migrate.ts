import { existsSync } from "node:fs";
import type { CommandDefinition } from "../command.ts";
import { noStore } from "../no-store.ts";
import { readLayout } from "../read-layout.ts";
import { sqlitePlace } from "../store-place.ts";

/** `remem migrate`: brings a store to this version's layout. */
export const migrateCommand: CommandDefinition = {
  name: "migrate",
  summary: "bring the store to this version's layout (opening it does, too)",
  usage: "",
  words: { least: 0, most: 0 },
  options: {},
  notes: [
    "A database of pi-go or claude-mem is copied first. A store is never brought back to an older layout.",
  ],
  async run({ memory }) {
    const path = await sqlitePlace(memory, "migrated");
    if (!existsSync(path))
      return { blocks: [await noStore(memory)], data: { from: null, to: null, copies: [] } };
    const { listKeptCopies } = await import("../../store/sqlite/backup/list-kept.ts");
    const kept = new Set(listKeptCopies(path).map((copy) => copy.path));
    const from = await readLayout(path);
    await memory.writing();
    const to = await readLayout(path);
    const copies = listKeptCopies(path)
      .map((copy) => copy.path)
      .filter((copy) => !kept.has(copy));
    return {
      blocks: [
        from === to
          ? `The store has layout ${to}, which is this version's: nothing to do.`
          : `The store was brought from layout ${from} to ${to}.`,
        ...copies.map((copy) => `What it was is kept: ${copy}`),
      ],
      data: { from, to, copies },
    };
  },
};
