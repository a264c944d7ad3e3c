import { type AtomicWriteOptions, writeFileAtomic } from "./atomic-file.ts";
import { readSmallFile } from "./read-small-file.ts";

/** Writes a small file unless it holds this text already, so that its time says since when it does. Throws as {@link writeFileAtomic} does. */
export function writeIfDifferent(path: string, text: string, options: AtomicWriteOptions): void {
  if (!holds(path, text)) writeFileAtomic(path, text, options);
}

function holds(path: string, text: string): boolean {
  try {
    return readSmallFile(path) === text;
  } catch {
    return false;
  }
}
