import { lstatSync, readdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { PiError, systemCode } from "../contract/errors.ts";
import { fileFailure } from "../platform/file-failure.ts";
import { type Lock, type LockHolder, tryLock } from "../platform/lock.ts";
import { randomHex } from "../platform/random.ts";
import { isSessionName } from "./session-id.ts";
import { LOCK_FILE } from "./session-sink.ts";

/** Folders that are on their way out; no session can be called so. */
const LEAVING = ".deleted-";

/**
 * Deletes a session's folder with everything in it, and never anything else: links in it are removed, not followed. Returns who has the
 * session open, if someone has; it stays then. Throws a PiError: `session_linked` where something else than a folder stands in its
 * place, or a FileErrorCode.
 */
export function removeSession(root: string, id: string): LockHolder | null {
  const folder = join(root, id);
  const stat = isSessionName(id) ? lookAt(folder) : undefined;
  if (!stat?.isDirectory())
    throw new PiError({
      code: "session_linked",
      message: `${folder} is ${stat === undefined ? "not there" : stat.isSymbolicLink() ? "a link" : "not a folder"}, so it was not deleted`,
      hint: "Look at it, and remove it by hand.",
    });
  const lock = lockOf(folder);
  if ("pid" in lock) return lock;
  const leaving = join(root, `${LEAVING}${id}-${randomHex(4)}`);
  try {
    // Gone from every list at once, also when the removal itself is cut short.
    renameSync(folder, leaving);
    rmSync(leaving, { recursive: true, force: true, maxRetries: 3 });
  } catch (thrown) {
    lock.release();
    throw fileFailure("delete", folder, thrown);
  }
  return null;
}

/** Removes what a deletion that was cut short left behind. Never throws. */
export function removeLeftovers(root: string): void {
  try {
    for (const name of readdirSync(root))
      if (name.startsWith(LEAVING)) rmSync(join(root, name), { recursive: true, force: true });
  } catch {
    // it stays for the next time
  }
}

function lockOf(folder: string): Lock | LockHolder {
  try {
    const attempt = tryLock(join(folder, LOCK_FILE));
    return "lock" in attempt ? attempt.lock : attempt.heldBy;
  } catch (thrown) {
    throw fileFailure("delete", folder, thrown);
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return undefined;
    throw fileFailure("delete", path, thrown);
  }
}
