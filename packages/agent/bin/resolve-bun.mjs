// Finds Bun's executable in the npm platform package. We depend on the platform packages themselves: the `bun` package
// needs an install script, which may be blocked (and where it runs, it moves the executable away).
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const systems = { linux: "linux", darwin: "darwin", win32: "windows" };
const processors = { x64: "x64", arm64: "aarch64" };

/** Absolute path of the Bun that npm installed; throws an Error that says what is missing and what to do. */
export function resolveBun() {
  const system = systems[process.platform];
  const processor = processors[process.arch];
  if (!system || !processor)
    throw new Error(`pi-ts: Bun has no build for ${process.platform}-${process.arch}, so pi cannot run here`);
  const base = `@oven/bun-${system}-${processor}`;
  const preferred = isMusl() ? [`${base}-musl`, base] : [base, `${base}-musl`];
  const file = process.platform === "win32" ? "bun.exe" : "bun";
  const require = createRequire(import.meta.url);
  for (const name of preferred)
    try {
      const path = join(dirname(require.resolve(`${name}/package.json`)), "bin", file);
      if (existsSync(path)) return path;
    } catch {
      // not installed: try the next name
    }
  throw new Error(
    `pi-ts: none of ${preferred.join(", ")} is installed. Run "npm install" (with optional packages) in the folder of pi-ts`,
  );
}

function isMusl() {
  return process.platform === "linux" && existsSync("/etc/alpine-release");
}
