import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isSecretPath } from "../secrets.ts";

/**
 * A text that changes when something to be protected appears or goes: a repository, our own folder, a secret file in the
 * project's root or beside a known one. A few system calls, since it is taken before each command.
 */
export function sandboxFingerprint(root: string, secrets: readonly string[]): string {
  const parts = [".git", ".git/hooks", ".git/config", ".pi-go"].map((name) => kindOf(join(root, name)));
  for (const folder of new Set([root, ...secrets.map((path) => dirname(path))])) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      if (isSecretPath(relative(root, path))) parts.push(path);
    }
  }
  return parts.join("\0");
}

function kindOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "-" : stat.isDirectory() ? "folder" : "file";
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // gone or unreadable: nothing to protect
    return [];
  }
}
