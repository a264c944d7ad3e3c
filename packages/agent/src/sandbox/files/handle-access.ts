import { closeSync, constants, fstatSync, lstatSync, openSync, type PathLike } from "node:fs";
import { systemCode } from "../../contract/errors.ts";
import { bytesOfShownName, decodeUtf8 } from "../../platform/utf8.ts";
import { describe, type FolderAccess, type PathNode } from "./folder-access.ts";

/** Linux: names a file without opening it, so that devices and FIFOs feel nothing and no permission is needed (open(2)). */
const O_PATH = 0o10000000;

function nodeAt(systemPath: PathLike, shownPath: string, flags: number): PathNode {
  const descriptor = openSync(systemPath, flags);
  try {
    return { ...describe(fstatSync(descriptor, { bigint: true })), path: shownPath, descriptor };
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

function isThere(path: PathLike): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Node and Bun have no openat(2), but `/proc/self/fd/<folder>/<name>` is the same thing: the kernel starts at the open
 * folder, not at a path that could have been swapped. Proven by the race test beside this file.
 */
export const handleAccess: FolderAccess = {
  root: (path) => nodeAt(path, path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW),
  child(parent, name) {
    const path = this.within(parent, name);
    // One key for one file: its bytes are shown in one spelling, however it was asked for.
    const asShown = typeof path === "string" ? name : decodeUtf8(bytesOfShownName(name)!).text;
    const shown = parent.path === "/" ? `/${asShown}` : `${parent.path}/${asShown}`;
    try {
      return nodeAt(path, shown, O_PATH | constants.O_NOFOLLOW);
    } catch (thrown) {
      if (systemCode(thrown) === "ENOENT") return null;
      throw thrown;
    }
  },
  within(parent, name) {
    const folder = `/proc/self/fd/${parent.descriptor}/`;
    const bytes = bytesOfShownName(name);
    if (bytes === null) return folder + name;
    // A name that is no UTF-8, as listings show it, unless a file is really called by those characters.
    const path = Buffer.concat([Buffer.from(folder), bytes]);
    return isThere(path) && !isThere(folder + name) ? path : folder + name;
  },
  itself: (node) => `/proc/self/fd/${node.descriptor}`,
  // Opens the inode behind the O_PATH descriptor again; the name is not looked up a second time.
  openFile(node) {
    return openSync(this.itself(node), constants.O_RDONLY | constants.O_NONBLOCK);
  },
  confirm: () => undefined,
  release: (node) => closeSync(node.descriptor),
};
