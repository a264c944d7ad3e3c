#!/usr/bin/env node
// The command in a checkout, in plain Node: runs the compiled executable if it is built and no older than the source, else the source: on
// Bun where npm installed it, else on this Node by its own type stripping. Bun would load `.env`, `bunfig.toml` and `tsconfig.json` of the
// current folder: every flag here that forbids it is needed. Node loads none of them. REMEM_RUNTIME=node takes this Node whatever else is there.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const windows = process.platform === "win32";
const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "..", "src");
const main = join(source, "cli", "main.ts");
const built = join(here, "..", "..", "..", "dist", windows ? "remem.exe" : "remem");

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return time;
}

/** Bun's executable in its npm platform package, which is a plain file: nothing of an install script is needed. */
function findBun() {
  const system = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform];
  const processor = { x64: "x64", arm64: "aarch64" }[process.arch];
  const base = `@oven/bun-${system}-${processor}`;
  const musl = existsSync("/etc/alpine-release");
  const require = createRequire(import.meta.url);
  for (const name of musl ? [`${base}-musl`, base] : [base, `${base}-musl`])
    try {
      const path = join(dirname(require.resolve(`${name}/package.json`)), "bin", windows ? "bun.exe" : "bun");
      if (existsSync(path)) return path;
    } catch {
      // not installed: try the next name
    }
  return undefined;
}

/** Undefined: this Node runs the source itself. */
function command() {
  if (process.env.REMEM_RUNTIME === "node") return undefined;
  if (existsSync(built) && statSync(built).mtimeMs >= newest(source)) return [built];
  const bun = findBun();
  if (bun === undefined) return undefined;
  return [
    bun,
    "--no-env-file",
    "--no-install",
    `--config=${join(here, "empty.bunfig.toml")}`,
    `--tsconfig-override=${join(here, "source.tsconfig.json")}`,
    main,
  ];
}

function canRunTypeScript() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

async function runHere() {
  if (!canRunTypeScript()) {
    process.stderr.write(
      `remem: Node ${process.versions.node} cannot run this package, and Bun is not installed beside it\n  use Node 22.19 or newer, or install the npm package of Bun for this system\n`,
    );
    process.exit(1);
  }
  // Types are stripped and SQLite is used on purpose: that both are young in Node is nothing that the user can act on.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.name}: ${warning.message}\n`);
  });
  await import(pathToFileURL(main).href);
}

function start(argv) {
  // Bun reads options of its own from it.
  const environment = { ...process.env };
  delete environment.BUN_OPTIONS;
  if (typeof process.execve === "function" && !windows) process.execve(argv[0], argv, environment);
  const child = spawn(argv[0], argv.slice(1), { stdio: "inherit", env: environment });
  // The terminal sends Ctrl+C to the whole group; what is sent to us alone is handed on. We end only after the child.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  child.on("error", (error) => {
    process.stderr.write(`remem: cannot start ${argv[0]}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1));
  });
}

const found = command();
if (found === undefined) await runHere();
else start([...found, ...process.argv.slice(2)]);
