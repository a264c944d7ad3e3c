import { spawnSync } from "node:child_process";

/** Runs npm and gives its stdout; throws an Error with what it said. */
export function npm(words, { cwd }) {
  // On Windows npm is a script of the shell.
  const shell = process.platform === "win32";
  const { status, stdout, stderr, error } = spawnSync("npm", words, { cwd, encoding: "utf8", shell });
  if (status !== 0) throw new Error(`npm ${words[0]} failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}
