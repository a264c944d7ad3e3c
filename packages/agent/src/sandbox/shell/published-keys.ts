import { relative } from "node:path";
import type { ProcessDoor } from "../../contract/process.ts";

/** Key files by their ending only: in a repository mostly certificates and keys of a test server. */
const KEY_ENDING = /[.](pem|key|p12|pfx|jks|keystore)$/i;
const GIT_TIMEOUT_MS = 5_000;

/**
 * Leaves out the key files (by their ending) that the project's repository itself contains: `git show` prints them to any
 * command anyway, while hiding them breaks the project's tests and every `git diff`. What is secret by its name (`.env`,
 * `id_rsa`) stays, in a repository or not. `files` are real absolute paths; never throws.
 */
export async function withoutPublishedKeys(
  files: readonly string[],
  root: string,
  processes: ProcessDoor,
): Promise<string[]> {
  const candidates = files.filter((path) => KEY_ENDING.test(path) && path.startsWith(`${root}/`));
  if (candidates.length === 0) return [...files];
  const published = await trackedFiles(candidates, root, processes);
  return files.filter((path) => !published.has(path));
}

async function trackedFiles(
  paths: readonly string[],
  root: string,
  processes: ProcessDoor,
): Promise<Set<string>> {
  try {
    const listed = await processes.run(
      {
        // The repository's own settings must not run anything.
        argv: [
          ...["git", "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false"],
          ...["ls-files", "-z", "--", ...paths.map((path) => relative(root, path))],
        ],
        cwd: root,
        env: { GIT_CEILING_DIRECTORIES: root.slice(0, root.lastIndexOf("/")) || "/" },
        label: "git ls-files",
      },
      { timeoutMs: GIT_TIMEOUT_MS },
    );
    if (listed.code !== 0) return new Set();
    const names = Buffer.from(listed.stdout).toString().split("\0");
    return new Set(names.filter((name) => name !== "").map((name) => `${root}/${name}`));
  } catch {
    // no git here: nothing is known to be published
    return new Set();
  }
}
