// Writes docs/commands.md: `node scripts/bun.mjs structure/write-commands-page.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandsPage } from "./commands-page.ts";

const target = join(import.meta.dir, "..", "docs", "commands.md");
writeFileSync(target, commandsPage());
process.stdout.write(`${target}\n`);
