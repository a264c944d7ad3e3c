import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder, from `folder` upwards, that holds `.git` (a folder, or the file of a worktree); null outside of git. */
export function gitTop(folder: string): string | null {
  for (let top = folder; ; top = dirname(top)) {
    if (existsSync(join(top, ".git"))) return top;
    if (top === dirname(top)) return null;
  }
}
