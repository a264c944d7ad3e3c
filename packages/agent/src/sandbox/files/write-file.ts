import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { systemCode } from "../../contract/errors.ts";
import type { FolderAccess, PathNode } from "./folder-access.ts";

/** Where to write: the folders reached, the names of folders to make, and the file's name. */
export interface WriteTarget {
  chain: readonly PathNode[];
  /** The regular file to replace, if there is one. */
  old: PathNode | null;
  newFolders: readonly string[];
  name: string;
  /** Exactly this mode, whatever the old file's is and even if that is read-only; absent: the old file's, or the usual one. */
  mode?: number;
}

/**
 * Writes a temporary sibling and renames it over the target, all inside the same folder handle. No fsync: the rename is
 * atomic for every program and survives our death at any moment; only a power cut within seconds could lose it, and waiting
 * for the disk at each edit would cost tens of milliseconds. Throws what the OS throws; the old file is then untouched and
 * what was made on the way is removed.
 */
export function writeFileAt(access: FolderAccess, target: WriteTarget, bytes: Uint8Array): void {
  const made: { parent: PathNode; folder: PathNode; name: string }[] = [];
  let folder = target.chain.at(-1)!;
  let done = false;
  try {
    // A rename would replace a read-only file without asking; its mode says that nobody should.
    if (target.old && target.mode === undefined) accessSync(access.itself(target.old), constants.W_OK);
    for (const name of target.newFolders) {
      const child = makeFolder(access, folder, name);
      made.push({ parent: folder, folder: child, name });
      folder = child;
    }
    access.confirm(target.chain);
    replace(access, folder, target, bytes);
    access.confirm(target.chain);
    done = true;
  } finally {
    for (const { parent, folder, name } of made.reverse()) {
      access.release(folder);
      if (!done) removeQuietly(() => rmdirSync(access.within(parent, name)));
    }
  }
}

function makeFolder(access: FolderAccess, parent: PathNode, name: string): PathNode {
  const path = access.within(parent, name);
  try {
    mkdirSync(path);
  } catch (thrown) {
    // Someone else made it meanwhile; what it is shows below.
    if (systemCode(thrown) !== "EEXIST") throw thrown;
  }
  const folder = access.child(parent, name);
  if (folder?.kind === "folder") return folder;
  if (folder) access.release(folder);
  throw Object.assign(new Error(`${name} is not a folder`), { code: "ENOTDIR" });
}

function replace(access: FolderAccess, folder: PathNode, target: WriteTarget, bytes: Uint8Array): void {
  const temporary = access.within(folder, `.pi-${crypto.randomUUID().slice(0, 13)}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(temporary, flags, 0o600);
  try {
    try {
      writeAll(descriptor, bytes);
      if (process.platform !== "win32") takeOver(descriptor, target);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, access.within(folder, target.name));
  } catch (thrown) {
    removeQuietly(() => unlinkSync(temporary));
    throw thrown;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done);
}

/** Gives the new file the old one's owner, where we may, and its mode; a file without a past gets the usual mode. */
function takeOver(descriptor: number, { old, mode: wanted }: WriteTarget): void {
  if (!old) {
    fchmodSync(descriptor, wanted ?? 0o666 & ~process.umask());
    return;
  }
  let mode = wanted ?? old.stat.mode;
  const now = fstatSync(descriptor);
  if (now.uid !== old.owner.uid || now.gid !== old.owner.gid) {
    try {
      fchownSync(descriptor, old.owner.uid, old.owner.gid);
    } catch {
      // Not ours to give away: the content counts. But "run as its owner" must not now mean another owner.
      mode &= 0o777;
    }
  }
  fchmodSync(descriptor, mode);
}

function removeQuietly(remove: () => void): void {
  try {
    remove();
  } catch {
    // The first error is the one to report; what cannot be removed has a name that says whose it is.
  }
}
