import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { systemCode } from "../../contract/errors.ts";
import { clip, fileError } from "./file-error.ts";
import { describe, type FolderAccess, type PathNode } from "./folder-access.ts";

const FOLDS_CASE = process.platform === "darwin" || process.platform === "win32";

function nodeAt(path: string): PathNode {
  return { ...describe(lstatSync(path, { bigint: true })), path, descriptor: -1 };
}

function changed(node: PathNode): Error {
  return fileError("file_outside", `${clip(node.path)} was replaced by something else while it was used`);
}

/**
 * macOS and Windows: no system call starts at an open folder, so each folder is walked by path without following links and
 * its identity is compared before and after an access. This narrows a race to moments and notices it; it cannot exclude it.
 */
export const pathAccess: FolderAccess = {
  root: (path) => nodeAt(path),
  child(parent, name) {
    let node: PathNode;
    try {
      node = nodeAt(join(parent.path, name));
    } catch (thrown) {
      if (systemCode(thrown) === "ENOENT") return null;
      throw thrown;
    }
    // One key for `README` and `readme` where the file system holds them for one name.
    if (FOLDS_CASE && node.kind !== "link")
      node.path = join(parent.path, basename(realpathSync.native(node.path)));
    return node;
  },
  within: (parent, name) => join(parent.path, name),
  itself: (node) => node.path,
  openFile(node) {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const descriptor = openSync(node.path, flags);
    if (describe(fstatSync(descriptor, { bigint: true })).stat.identity === node.stat.identity)
      return descriptor;
    closeSync(descriptor);
    throw changed(node);
  },
  confirm(chain) {
    for (const node of chain) if (nodeAt(node.path).stat.identity !== node.stat.identity) throw changed(node);
  },
  release: () => undefined,
};
