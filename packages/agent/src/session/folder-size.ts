import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Bytes of all files in a folder, links not followed; what cannot be read counts nothing. */
export function folderSize(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) bytes += folderSize(path);
      else if (entry.isFile()) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {
    // gone, or not ours to enter
  }
  return bytes;
}
