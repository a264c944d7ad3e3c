#!/usr/bin/env node
// Plain Node: runs the compiled executable if it is built and no older than the source, else the source on Bun.
// Bun would load `.env`, `bunfig.toml` and `tsconfig.json` of the current folder: every flag here that forbids it is needed.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { resolveBun } from "./resolve-bun.mjs";

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

// Bun reads options of its own from it.
const environment = { ...process.env };
delete environment.BUN_OPTIONS;

if (typeof process.execve === "function" && process.platform !== "win32") {
  process.execve(argv[0], argv, environment);
}

const child = spawn(argv[0], argv.slice(1), { stdio: "inherit", env: environment });
// The terminal sends Ctrl+C to the whole group; what is sent to us alone is handed on. We end only after the child.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
child.on("error", (error) => {
  process.stderr.write(`pi-ts: cannot start ${argv[0]}: ${error.message}\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1));
});
