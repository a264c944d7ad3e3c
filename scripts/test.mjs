// `npm test [-- FILTER ...]`: all unit and flow tests and those in a terminal; `npm run e2e`: the end-to-end tests on the built executable.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { resolveBun } from "../packages/agent/bin/resolve-bun.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const words = process.argv.slice(2);
const paths = words.length > 0 ? words : ["packages", "structure", "e2e/interactive", "bench/growth"];
// The limit only ends a hung test; no test passes or fails by it on a slow machine.
const result = spawnSync(resolveBun(), ["--no-env-file", "test", "--timeout", "120000", ...paths], {
  cwd: root,
  stdio: "inherit",
});
process.exit(result.status ?? 1);
