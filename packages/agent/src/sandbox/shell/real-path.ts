import { realpathSync } from "node:fs";

/** The path without links, or undefined when there is nothing (or nothing that we may look at). */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // missing, unreadable, or a loop of links
    return undefined;
  }
}
