import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whether a folder above `folder` has a `.gitignore`; `top` is the last one looked at (null: all up to the root). */
export function hasGitignoreAbove(folder: string, top: string | null): boolean {
  for (let above = folder; above !== top && above !== dirname(above); ) {
    above = dirname(above);
    if (existsSync(join(above, ".gitignore"))) return true;
  }
  return false;
}
