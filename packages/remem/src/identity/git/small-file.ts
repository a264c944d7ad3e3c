import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";

/** No file of git that we read is longer in honest repositories. */
const LONGEST = 1_048_576;

/** The text of a regular file; null when it is not there, is no regular file (a pipe would never end) or is longer than 1 MB. */
export async function readSmallFile(path: string): Promise<string | null> {
  try {
    // Opened so that a pipe put in its place does not block.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= LONGEST ? await file.readFile("utf8") : null;
    } finally {
      await file.close();
    }
  } catch {
    // not there, or not for us
    return null;
  }
}

/** What a path leads to. */
export async function kindOf(path: string): Promise<"file" | "folder" | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : null;
  } catch {
    // not there, or not for us
    return null;
  }
}
