import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { KeptBecause } from "./kept-file.ts";

/** A copy of a store that was made by the engine: what was erased since may still be in it. */
export interface KeptCopy {
  readonly path: string;
  readonly because: KeptBecause;
  readonly bytes: number;
  /** When it was made. */
  readonly at: number;
}

const KEPT = /^\.(bak|before-restore|damaged)-\d{4}-\d{2}-\d{2}T[\dZ-]+$/;

/** The copies that lie beside a store, the newest first. Empty when its folder is not there. */
export function listKeptCopies(path: string): KeptCopy[] {
  const [folder, name] = [dirname(path), basename(path)];
  let entries: string[];
  try {
    entries = readdirSync(folder);
  } catch {
    return [];
  }
  return entries
    .flatMap((entry) => {
      const because = entry.startsWith(name) ? KEPT.exec(entry.slice(name.length))?.[1] : undefined;
      if (because === undefined) return [];
      const { size, mtimeMs } = statSync(join(folder, entry));
      return [{ path: join(folder, entry), because: because as KeptBecause, bytes: size, at: mtimeMs }];
    })
    .sort((a, b) => b.at - a.at || b.path.localeCompare(a.path));
}
