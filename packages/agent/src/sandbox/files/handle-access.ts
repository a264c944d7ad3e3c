import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { systemCode } from "../../contract/errors.ts";
import { describe, type FolderAccess, type PathNode } from "./folder-access.ts";

/** Linux: names a file without opening it, so that devices and FIFOs feel nothing and no permission is needed (open(2)). */
const O_PATH = 0o10000000;

function nodeAt(systemPath: string, shownPath: string, flags: number): PathNode {
  const descriptor = openSync(systemPath, flags);
  try {
    return { ...describe(fstatSync(descriptor, { bigint: true })), path: shownPath, descriptor };
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

/**
 * Node and Bun have no openat(2), but `/proc/self/fd/<folder>/<name>` is the same thing: the kernel starts at the open
 * folder, not at a path that could have been swapped. Proven by the race test beside this file.
 */
export const handleAccess: FolderAccess = {
  root: (path) => nodeAt(path, path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW),
  child(parent, name) {
    const shown = parent.path === "/" ? `/${name}` : `${parent.path}/${name}`;
    try {
      return nodeAt(this.within(parent, name), shown, O_PATH | constants.O_NOFOLLOW);
    } catch (thrown) {
      if (systemCode(thrown) === "ENOENT") return null;
      throw thrown;
    }
  },
  within: (parent, name) => `/proc/self/fd/${parent.descriptor}/${name}`,
  itself: (node) => `/proc/self/fd/${node.descriptor}`,
  // Opens the inode behind the O_PATH descriptor again; the name is not looked up a second time.
  openFile(node) {
    return openSync(this.itself(node), constants.O_RDONLY | constants.O_NONBLOCK);
  },
  confirm: () => undefined,
  release: (node) => closeSync(node.descriptor),
};
