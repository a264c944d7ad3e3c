// Writes docs/config.md: `node scripts/bun.mjs structure/write-config-page.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { configPage } from "./config-page.ts";

const target = join(import.meta.dir, "..", "docs", "config.md");
writeFileSync(target, configPage());
process.stdout.write(`${target}\n`);
