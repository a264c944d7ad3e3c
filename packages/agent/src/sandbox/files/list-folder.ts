import { type Dirent, readdirSync, readlinkSync } from "node:fs";
import { systemCode } from "../../contract/errors.ts";
import type { FolderEntry } from "../../contract/files.ts";
import { decodeUtf8 } from "../../platform/utf8.ts";
import type { FolderAccess, PathNode } from "./folder-access.ts";

/** Entries of exactly this folder in byte order of their names. Throws what the OS throws. */
export function listFolder(access: FolderAccess, folder: PathNode, sizes: boolean): FolderEntry[] {
  const found = readdirSync(access.itself(folder), { withFileTypes: true });
  const entries = found.map((one): FolderEntry => ({ name: one.name, kind: kindOf(one), size: 0 }));
  if (found.some((one) => one.name.includes("\uFFFD"))) escapeNames(access, folder, entries);
  return entries
    .filter(
      (entry) =>
        !(sizes || entry.kind === "other" || entry.kind === "link") || complete(access, folder, entry),
    )
    .sort(byName);
}

function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

/** Adds size and link target; false when the entry has vanished since the folder was listed. */
function complete(access: FolderAccess, folder: PathNode, entry: FolderEntry): boolean {
  try {
    const node = access.child(folder, entry.name);
    if (node === null) return false;
    access.release(node);
    entry.kind = node.kind;
    entry.size = node.kind === "file" ? node.stat.size : 0;
    if (node.kind === "link") entry.target = readlinkSync(access.within(folder, entry.name));
    return true;
  } catch (thrown) {
    return systemCode(thrown) !== "ENOENT";
  }
}

/** File systems of Linux take any bytes as a name; the replacement character would make two such names equal. */
function escapeNames(access: FolderAccess, folder: PathNode, entries: FolderEntry[]): void {
  const raw = readdirSync(access.itself(folder), { encoding: "buffer" });
  const waiting = new Map<string, string[]>();
  for (const bytes of raw) {
    const shown = bytes.toString("utf8");
    if (!shown.includes("\uFFFD")) continue;
    waiting.set(shown, [...(waiting.get(shown) ?? []), decodeUtf8(bytes).text]);
  }
  for (const entry of entries) entry.name = waiting.get(entry.name)?.shift() ?? entry.name;
}

function byName(a: FolderEntry, b: FolderEntry): number {
  if (a.name === b.name) return 0;
  // UTF-16 order is byte order but for characters beyond U+FFFF.
  if (/[\uD800-\uFFFF]/.test(a.name + b.name))
    return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
  return a.name < b.name ? -1 : 1;
}
