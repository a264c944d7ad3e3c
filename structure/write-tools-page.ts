// Writes docs/tools.md: `node scripts/bun.mjs structure/write-tools-page.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolsPage } from "./tools-page.ts";

const target = join(import.meta.dir, "..", "docs", "tools.md");
writeFileSync(target, toolsPage());
process.stdout.write(`${target}\n`);
