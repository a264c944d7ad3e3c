import { statSync } from "node:fs";
import { resolve } from "node:path";
import { EXIT } from "../cli-error.ts";
import type { CommandDefinition } from "../command.ts";
import { noStore } from "../no-store.ts";
import { counted } from "../output/memory-view.ts";
import { backupName, postgresUrl, sqlitePlace } from "../store-place.ts";

/** `remem backup`: a checked copy of the store. */
export const backupCommand: CommandDefinition = {
  name: "backup",
  summary: "a checked copy of the store, also while others use it",
  usage: "[--output FILE]",
  words: { least: 0, most: 0 },
  options: {
    output: {
      value: "FILE",
      short: "o",
      summary:
        "where to (default: beside the store, of PostgreSQL in this folder, with the time in its name)",
    },
  },
  notes: [
    "The copy is readable by you only. forget reaches the copies beside the store; one that you put elsewhere keeps what it has.",
  ],
  async run({ memory, value, world }) {
    const url = await postgresUrl(memory);
    if (url !== undefined) {
      const { backupPostgresStore } = await import("../../store/postgres/index.ts");
      const file = resolve(world.cwd, value("output") ?? backupName("backup", world.clock.now()));
      const rows = await backupPostgresStore({ url }, file);
      const { size } = statSync(file);
      return {
        blocks: [`${file} (${counted(rows["memories"] ?? 0, "memory", "memories")})`],
        data: { file, bytes: size },
      };
    }
    const path = await sqlitePlace(memory, "backed up");
    if ((await memory.reading()) === undefined)
      return { exitCode: EXIT.nothing, blocks: [await noStore(memory)], data: { file: null } };
    const { backupSqliteStore } = await import("../../store/sqlite/backup/backup-store.ts");
    const output = value("output");
    const file = await backupSqliteStore({
      path,
      clock: world.clock,
      ...(output === undefined ? {} : { to: resolve(world.cwd, output) }),
    });
    const { size } = statSync(file);
    return { blocks: [`${file} (${size.toLocaleString("en-US")} bytes)`], data: { file, bytes: size } };
  },
};
