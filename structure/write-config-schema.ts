// Writes docs/config.schema.json from the schema that the product checks with:
// `node scripts/bun.mjs structure/write-config-schema.ts`, then `npm run format`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_SCHEMA } from "../packages/agent/src/config/schema.ts";

const target = join(import.meta.dir, "..", "docs", "config.schema.json");
writeFileSync(target, `${JSON.stringify(CONFIG_SCHEMA, null, 2)}\n`);
process.stdout.write(`${target}\n`);
