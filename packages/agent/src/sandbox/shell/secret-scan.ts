import { type BigIntStats, statSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { isSecretPath } from "../secrets.ts";

/** Entries looked at before a search gives up: some 0.2 s on a slow disk. Folders near the root come first. */
const MAX_ENTRIES = 40_000;
const MAX_SECRETS = 300;
/** Big, made by tools, and full of files that only look like keys (certificates of test suites). */
const SKIPPED = new Set([".git", "node_modules", ".venv", "venv", "target", "vendor", "__pycache__"]);
/** The kernel's own, for a project that is the whole machine: what they list is gone a moment later. */
const KERNEL_FOLDERS = new Set(["/proc", "/sys", "/dev", "/run"]);
/** A folder that changed so shortly before it was listed may change again without another time stamp. */
const SETTLED_MS = 100;
/** Known folders that are looked at between two breaths of everything else. */
const STEP = 500;

/** The secret files of a project, looked for again at little cost. */
export interface SecretScan {
  /**
   * Real absolute paths of the files whose contents commands must not see (targets of links, too), in a fixed order. Only
   * folders that changed since the last call are listed again. Never rejects: what cannot be read hides nothing.
   */
  find(): Promise<string[]>;
}

interface SeenFolder {
  stamp: string;
  entries: number;
  folders: string[];
  secrets: string[];
}

/** A scan of `root`; nothing is looked at before the first call. */
export function createSecretScan(root: string): SecretScan {
  let known = new Map<string, SeenFolder>();

  async function look(path: string): Promise<SeenFolder> {
    const stamp = stampOf(path);
    const before = known.get(path);
    if (before !== undefined && stamp !== "" && before.stamp === stamp) return before;
    const seen: SeenFolder = { stamp, entries: 0, folders: [], secrets: [] };
    for (const entry of await entriesOf(path)) {
      seen.entries++;
      const inside = join(path, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && !KERNEL_FOLDERS.has(inside)) seen.folders.push(inside);
      } else if (isSecretPath(relative(root, inside)) && (entry.isFile() || entry.isSymbolicLink()))
        seen.secrets.push(inside);
    }
    return seen;
  }

  return {
    async find() {
      const next = new Map<string, SeenFolder>();
      const secrets: string[] = [];
      const queue = [root];
      let entries = 0;
      for (const path of queue) {
        const seen = await look(path);
        next.set(path, seen);
        queue.push(...seen.folders);
        secrets.push(...seen.secrets);
        entries += seen.entries;
        if (entries > MAX_ENTRIES || secrets.length >= MAX_SECRETS) break;
        if (next.size % STEP === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      known = next;
      const real = await Promise.all(secrets.slice(0, MAX_SECRETS).map(realOf));
      return [...new Set(real.filter((path) => path !== undefined))].sort();
    },
  };
}

/** Changes when something in the folder is made, removed or renamed; empty when it cannot be relied on. */
function stampOf(path: string): string {
  let stat: BigIntStats | undefined;
  try {
    stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // unreadable for us means unreadable for the command
    return "";
  }
  if (stat === undefined || Date.now() - Number(stat.mtimeNs / 1_000_000n) < SETTLED_MS) return "";
  return `${stat.ino}:${stat.mtimeNs}`;
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
