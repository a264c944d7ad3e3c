#!/usr/bin/env node
// The command in a checkout, in plain Node: runs the compiled executable if it is built and no older than the source, else the source on Bun.
// Bun would load `.env`, `bunfig.toml` and `tsconfig.json` of the current folder: every flag here that forbids it is needed.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { resolveBun } from "./resolve-bun.mjs";
import { start } from "./start.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "..", "src");
const built = join(here, "..", "..", "..", "dist", process.platform === "win32" ? "pi.exe" : "pi");

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return time;
}

function command() {
  if (existsSync(built) && statSync(built).mtimeMs >= newest(source)) return [built];
  return [
    resolveBun(),
    "--no-env-file",
    "--no-install",
    `--config=${join(here, "empty.bunfig.toml")}`,
    `--tsconfig-override=${join(here, "source.tsconfig.json")}`,
    join(source, "cli", "main.ts"),
  ];
}

let argv;
try {
  argv = [...command(), ...process.argv.slice(2)];
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
start(argv);
