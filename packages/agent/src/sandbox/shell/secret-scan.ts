import { readdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { isSecretPath } from "../secrets.ts";

/** Entries looked at before a search gives up: some 0.2 s on a slow disk. Folders near the root come first. */
const MAX_ENTRIES = 40_000;
const MAX_SECRETS = 300;
/** Big, made by tools, and full of files that only look like keys (certificates of test suites). */
const SKIPPED = new Set([".git", "node_modules", ".venv", "venv", "target", "vendor", "__pycache__"]);

/** What a search found. */
export interface SecretScan {
  /** Real absolute paths of the secret files (targets of links, too). */
  files: string[];
  /** False when the project has more entries than are looked at. */
  complete: boolean;
}

/** Finds the files of a project whose contents commands must not see. Never throws: what cannot be read hides nothing. */
export async function findSecretFiles(root: string): Promise<SecretScan> {
  const files = new Set<string>();
  let seen = 0;
  let folders = [root];
  while (folders.length > 0) {
    const next: string[] = [];
    for (const folder of folders) {
      for (const entry of await entriesOf(folder)) {
        if (++seen > MAX_ENTRIES || files.size >= MAX_SECRETS) return { files: [...files], complete: false };
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (!SKIPPED.has(entry.name)) next.push(path);
        } else if (isSecretPath(relative(root, path)) && (entry.isFile() || entry.isSymbolicLink())) {
          const real = await realOf(path);
          if (real !== undefined) files.add(real);
        }
      }
    }
    folders = next;
  }
  return { files: [...files], complete: true };
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // unreadable for us means unreadable for the command
    return [];
  }
}

async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    // a dangling link
    return undefined;
  }
}
