import { lstatSync } from "node:fs";
import { join } from "node:path";
import { gitProtection } from "./git-protection.ts";
import { PRIVATE_FILES, PRIVATE_FOLDERS } from "./private-places.ts";
import type { SandboxPolicy } from "./sandbox-plan.ts";

/**
 * A text that changes when something to be protected appears, goes, or is replaced: a repository and its settings, our own
 * folder, a key file of the user, a secret file of the project. A file that is replaced by a rename (editors, `git config`)
 * loses what was mounted over it in every running sandbox (rename(2) on a mount point of another namespace). Some hundred
 * microseconds, since it is taken before each command.
 */
export function sandboxFingerprint(policy: SandboxPolicy, secrets: readonly string[]): string {
  const { root, home, tier } = policy;
  const git = gitProtection(root, false);
  const paths = [
    ...(tier === "workspace-write" ? [...git.readOnly, ...git.fixed, ...git.writable] : []),
    join(root, ".git"),
    join(root, ".pi-go"),
    home.root,
    ...[".pi-go", ...PRIVATE_FOLDERS, ...PRIVATE_FILES].map((name) => join(home.user, name)),
    ...secrets,
  ];
  return paths.map((path) => `${path}\t${identityOf(path)}`).join("\n");
}

function identityOf(path: string): string {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "-" : `${stat.dev}:${stat.ino}`;
  } catch {
    // not ours to look at, now as before
    return "?";
  }
}
