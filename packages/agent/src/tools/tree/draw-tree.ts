import type { FolderEntry } from "../../contract/files.ts";
import { formatCount } from "../../platform/format-count.ts";
import { printableName } from "../shared/printable-name.ts";
import type { TreeFolder } from "./scan-tree.ts";

/** A drawn tree. */
export interface Drawing {
  lines: string[];
  /** Entries drawn. */
  shown: number;
}

/** How much of each folder is drawn. */
interface Share {
  depth: number;
  /** Entries (or, where `folders`, files) of one folder at most. */
  cap: number;
  /** All folders are drawn whatever the cap: they say more about a project than files. */
  folders: boolean;
}

/** A share with fewer entries for each folder is not worth its depth. */
const FAIR_CAP = 8;

/**
 * Draws at most `budget` entries. Every folder shows the same number at most, the largest that fits, so that one large
 * folder cannot hide the others; where even a few for each do not fit, the deepest levels are left out first.
 */
export function drawTree(root: TreeFolder, budget: number): Drawing {
  return draw(root, fairShare(root, budget));
}

function fairShare(root: TreeFolder, budget: number): Share {
  for (let depth = 10; depth >= 2; depth--) {
    const cap = largestCap(root, { depth, cap: 0, folders: true }, budget);
    if (cap >= FAIR_CAP) return { depth, cap, folders: true };
  }
  // Some folder holds too many folders: now they are capped too.
  for (let depth = 10; depth >= 2; depth--) {
    const cap = largestCap(root, { depth, cap: 0, folders: false }, budget);
    if (cap >= FAIR_CAP) return { depth, cap, folders: false };
  }
  return { depth: 1, cap: budget, folders: false };
}

/** The largest cap with which the tree fits, or -1. */
function largestCap(root: TreeFolder, share: Share, budget: number): number {
  const fits = (cap: number) => countShown(root, { ...share, cap }, budget) <= budget;
  if (fits(Number.MAX_SAFE_INTEGER)) return Number.MAX_SAFE_INTEGER;
  let low = -1;
  let high = budget;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Entries drawn with this share; stops counting beyond the budget. */
function countShown(folder: TreeFolder, share: Share, budget: number): number {
  const entries = chosen(folder, share);
  let shown = entries.length;
  if (share.depth > 1)
    for (const entry of entries) {
      if (shown > budget) return shown;
      const inside = folder.inside.get(entry.name);
      if (inside && !inside.closed)
        shown += countShown(inside, { ...share, depth: share.depth - 1 }, budget - shown);
    }
  return shown;
}

/** Folders before files where not all fit; in the order of the listing. */
function chosen(folder: TreeFolder, share: Share): FolderEntry[] {
  const { entries } = folder;
  if (entries.length <= share.cap) return entries;
  let folders = entries.filter((entry) => entry.kind === "folder");
  if (!share.folders) folders = folders.slice(0, share.cap);
  const room = share.folders ? share.cap : share.cap - folders.length;
  const files = entries.filter((entry) => entry.kind !== "folder").slice(0, room);
  const kept = new Set([...folders, ...files]);
  return entries.filter((entry) => kept.has(entry));
}

function draw(root: TreeFolder, share: Share): Drawing {
  const drawing: Drawing = { lines: [], shown: 0 };
  drawFolder(drawing, root, share, "");
  return drawing;
}

function drawFolder(drawing: Drawing, folder: TreeFolder, share: Share, indent: string): void {
  const entries = chosen(folder, share);
  for (const entry of entries) {
    drawing.shown++;
    drawing.lines.push(indent + label(folder, entry, share.depth));
    const inside = folder.inside.get(entry.name);
    if (inside && !inside.closed && share.depth > 1)
      drawFolder(drawing, inside, { ...share, depth: share.depth - 1 }, `${indent}  `);
  }
  const hidden = folder.entries.length - entries.length;
  if (hidden > 0) drawing.lines.push(`${indent}… ${formatCount(hidden)} more`);
}

function label(folder: TreeFolder, entry: FolderEntry, depth: number): string {
  const name = printableName(entry.name);
  if (entry.kind === "link") return `${name} -> ${entry.target ?? "?"}`;
  if (entry.kind !== "folder") return name;
  const inside = folder.inside.get(entry.name);
  const closed = inside?.closed;
  if (closed?.reason === "unreadable") return `${name}/ (unreadable)`;
  if (closed?.reason === "limit" || !inside) return `${name}/ (not looked into)`;
  const inner = closed ? (closed.count ?? 0) : inside.entries.length;
  if (closed?.reason === "generated") return `${name}/ (${entriesOf(inner)}, not entered)`;
  return (closed || depth === 1) && inner > 0 ? `${name}/ (${entriesOf(inner)})` : `${name}/`;
}

function entriesOf(value: number): string {
  return value === 1 ? "1 entry" : `${formatCount(value)} entries`;
}
