// Runs a file of this repository on the Bun that npm installed: `node scripts/bun.mjs FILE [ARG ...]`.
import { spawnSync } from "node:child_process";
import { resolveBun } from "../packages/agent/bin/resolve-bun.mjs";

const result = spawnSync(resolveBun(), ["--no-env-file", "run", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(result.status ?? 1);
