import { chmodSync, mkdirSync, statSync } from "node:fs";
import { fileFailure } from "./file-failure.ts";

/**
 * Makes a folder (and missing parents) that only its owner may enter (0700). One that is ours but open to others is
 * closed to them. Throws a PiError with a FileErrorCode.
 */
export function ensurePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (process.platform === "win32") return;
    const stat = statSync(path);
    if ((stat.mode & 0o077) !== 0 && stat.uid === process.getuid?.()) chmodSync(path, 0o700);
  } catch (thrown) {
    throw fileFailure("make the folder", path, thrown);
  }
}
