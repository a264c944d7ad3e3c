// Writes docs/command-line.md: `node scripts/bun.mjs structure/write-command-line-page.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLinePage } from "./command-line-page.ts";

const target = join(import.meta.dir, "..", "docs", "command-line.md");
writeFileSync(target, await commandLinePage());
process.stdout.write(`${target}\n`);
