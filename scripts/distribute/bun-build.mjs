import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { resolveBun } from "../../packages/agent/bin/resolve-bun.mjs";
import { ROOT } from "./paths.mjs";

/**
 * `bun build WORDS` into one file, which is there whole or as it was: what is running keeps its old file. Throws an Error when it fails. Bun
 * writes the name of the file into it, so that it is the same in every build.
 */
export function bunBuild(target, words) {
  const folder = join(dirname(target), `.building-${process.pid}`);
  const fresh = join(folder, basename(target));
  mkdirSync(folder, { recursive: true });
  try {
    runBun(["build", ...words, "--outfile", fresh]);
    renameSync(fresh, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Bun in the checkout and throws an Error when it fails. `output`: where what it prints goes. */
export function runBun(words, output = "inherit") {
  const { status, signal, error } = spawnSync(resolveBun(), words, {
    cwd: ROOT,
    stdio: ["ignore", output, "inherit"],
  });
  if (status !== 0)
    throw new Error(`bun ${words[0]} failed: ${error?.message ?? signal ?? `exit code ${status}`}`);
}
