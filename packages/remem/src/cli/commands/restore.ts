import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { StoreError } from "../../core/errors.ts";
import { CliError } from "../cli-error.ts";
import type { CliMemory } from "../cli-memory.ts";
import type { CommandDefinition } from "../command.ts";
import { counted } from "../output/memory-view.ts";
import { confirmed, isPerson, refuseAgent } from "../person.ts";
import { backupName, postgresUrl, sqlitePlace } from "../store-place.ts";

/** `remem restore FILE`: a backup in the store's place. */
export const restoreCommand: CommandDefinition = {
  name: "restore",
  summary: "put a backup in the store's place; what is there now is kept beside it",
  usage: "FILE [--confirm]",
  words: { least: 1, most: 1 },
  options: { confirm: { summary: "do it without a question" } },
  notes: ["What was erased after the backup was made comes back with it: forget it again."],
  async run({ memory, words, flag, world, json }) {
    refuseAgent(world, "restore a backup");
    const url = await postgresUrl(memory);
    const path = url === undefined ? await sqlitePlace(memory, "restored") : "the PostgreSQL store";
    const from = resolve(world.cwd, words[0]!);
    if (!existsSync(from))
      throw new CliError("no_backup", `there is no backup at ${from}`, "check the path; nothing was changed");
    const question = `${path} ${await held(memory)} now and would hold those of ${from}.`;
    if (!flag("confirm")) {
      if (!isPerson(world) || json)
        throw new CliError("confirm_needed", `${question} Nothing was changed`, "to do it: add --confirm");
      if (!(await confirmed(world, `${question} Restore it?`)))
        return { blocks: ["Nothing was changed."], data: { restored: false } };
    }
    const kept =
      url === undefined
        ? await restoreSqlite({ path, from, clock: world.clock })
        : await restorePostgres(
            url,
            from,
            resolve(world.cwd, backupName("before-restore", world.clock.now())),
          );
    return {
      blocks: [
        `${path} holds what ${from} held.`,
        ...(kept === undefined ? [] : [`What was there before is kept: ${kept}`]),
      ],
      data: { restored: true, path, from, kept: kept ?? null },
    };
  },
};

/** What the store holds. One that is damaged is what a backup is for. */
async function held(memory: CliMemory): Promise<string> {
  try {
    const status = await (await memory.reading())?.memories.status();
    return `holds ${counted(status?.memories ?? 0, "memory", "memories")}`;
  } catch (error) {
    if (!StoreError.is(error) || error.code !== "corrupt") throw error;
    return "is damaged";
  }
}

async function restoreSqlite(
  options: Parameters<typeof import("../../store/sqlite/backup/restore-store.ts").restoreSqliteStore>[0],
): Promise<string | undefined> {
  const { restoreSqliteStore } = await import("../../store/sqlite/backup/restore-store.ts");
  return restoreSqliteStore(options);
}

async function restorePostgres(url: string, from: string, kept: string): Promise<string> {
  const { restorePostgresStore } = await import("../../store/postgres/index.ts");
  await restorePostgresStore({ url }, { from, kept });
  return kept;
}
