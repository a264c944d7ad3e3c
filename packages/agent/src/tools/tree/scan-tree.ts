import { isPiError } from "../../contract/errors.ts";
import type { FileDoor, FolderEntry } from "../../contract/files.ts";

/** A folder of the tree with what was seen in it. */
export interface TreeFolder {
  path: string;
  entries: FolderEntry[];
  /** Folders among the entries that were entered, by name. */
  inside: Map<string, TreeFolder>;
  /** Why it was not entered (its entries are then unknown or only counted). */
  closed?: { reason: "generated" | "unreadable" | "depth" | "limit"; count: number | null };
}

/** A scan of a folder and what is below it. */
export interface TreeScan {
  root: TreeFolder;
  folders: number;
  files: number;
  unreadable: number;
  /** False when the scan stopped at its limit: then the numbers are lower bounds. */
  complete: boolean;
}

/** Entries looked at before the rest is only said to exist. */
const MAX_SCANNED = 100_000;
/** How many entries are listed between two looks at the abort signal. */
const STEP = 2000;

/** Folders of tools, not of people: named with a count, entered only when asked for by path. */
const GENERATED = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "vendor",
  "dist",
  "build",
  "target",
  "out",
  "coverage",
  ".next",
  ".nuxt",
  ".turbo",
  ".cache",
  ".gradle",
  ".idea",
  ".venv",
  "venv",
  ".tox",
  "__pycache__",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".terraform",
]);

/**
 * Looks at folders level by level, so that a limit cuts depth before breadth. Links are never followed: each real folder is
 * seen once. Throws when the first folder cannot be listed, and the signal's reason.
 */
export async function scanTree(
  files: FileDoor,
  path: string,
  depth: number,
  signal: AbortSignal,
): Promise<TreeScan> {
  const root: TreeFolder = { path, entries: files.list(path, { sizes: false }), inside: new Map() };
  const scan: TreeScan = { root, folders: 0, files: 0, unreadable: 0, complete: true };
  countEntries(scan, root);
  let level = [root];
  let sinceYield = 0;
  for (let below = 1; level.length > 0; below++) {
    const next: TreeFolder[] = [];
    for (const parent of level) {
      for (const entry of parent.entries) {
        if (entry.kind !== "folder") continue;
        const child = enter(files, scan, parent, entry.name, below < depth);
        parent.inside.set(entry.name, child);
        if (!child.closed) next.push(child);
        sinceYield += 1 + child.entries.length;
        if (sinceYield < STEP) continue;
        sinceYield = 0;
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
    }
    level = next;
  }
  return scan;
}

function enter(
  files: FileDoor,
  scan: TreeScan,
  parent: TreeFolder,
  name: string,
  deeper: boolean,
): TreeFolder {
  const path = parent.path === "." ? name : `${parent.path}/${name}`;
  const folder: TreeFolder = { path, entries: [], inside: new Map() };
  if (scan.folders + scan.files >= MAX_SCANNED) {
    scan.complete = false;
    folder.closed = { reason: "limit", count: null };
    return folder;
  }
  try {
    const entries = files.list(path, { sizes: false });
    if (GENERATED.has(name)) folder.closed = { reason: "generated", count: entries.length };
    else if (!deeper) folder.closed = { reason: "depth", count: entries.length };
    else {
      folder.entries = entries;
      countEntries(scan, folder);
    }
  } catch (thrown) {
    // Vanished meanwhile, or closed to us: counted, and the rest goes on.
    if (!isPiError(thrown)) throw thrown;
    scan.unreadable++;
    folder.closed = { reason: "unreadable", count: null };
  }
  return folder;
}

function countEntries(scan: TreeScan, folder: TreeFolder): void {
  for (const entry of folder.entries)
    if (entry.kind === "folder") scan.folders++;
    else scan.files++;
}
