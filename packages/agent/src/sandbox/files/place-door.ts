import {
  chmodSync,
  closeSync,
  fstatSync,
  lstatSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import type { PlaceDoor, PlaceLook } from "../../contract/checkpoint.ts";
import { isPiError, systemCode } from "../../contract/errors.ts";
import { isSecretPath } from "../secrets.ts";
import { Outside } from "./anchors.ts";
import { accessFor, type FileDoorOptions } from "./file-door.ts";
import { clip, fileError, fromSystem } from "./file-error.ts";
import type { FolderAccess, PathNode } from "./folder-access.ts";
import { protectedReason } from "./protected.ts";
import { type Place, walk } from "./walk.ts";
import { writeFileAt } from "./write-file.ts";

/** The door to names in one project. `root` is an absolute real path; `confinement` is as a file door takes it. */
export function createPlaceDoor(root: string, confinement?: FileDoorOptions["confinement"]): PlaceDoor {
  return new Places(root, accessFor(confinement));
}

/** The folder that holds a name, and the names between that do not exist. */
interface Spot {
  folder: Place;
  name: string;
  /** The path of the name itself, relative to the root. */
  shown: string;
}

class Places implements PlaceDoor {
  readonly #root: string;
  readonly #access: FolderAccess;

  constructor(root: string, access: FolderAccess) {
    this.#root = root;
    this.#access = access;
  }

  look(path: string): PlaceLook {
    try {
      return this.#at(path, ({ folder, name }): PlaceLook => {
        if (folder.missing.length > 0) return { kind: "missing", folders: folder.missing.length };
        const parent = folder.chain.at(-1)!;
        const stat = lstatSync(this.#access.within(parent, name), { bigint: true, throwIfNoEntry: false });
        if (stat === undefined) return { kind: "missing", folders: 0 };
        if (stat.isSymbolicLink())
          return { kind: "link", target: readlinkSync(this.#access.within(parent, name)) };
        if (stat.isDirectory()) return { kind: "folder" };
        if (!stat.isFile()) return { kind: "other" };
        return {
          kind: "file",
          size: Number(stat.size),
          mode: Number(stat.mode) & 0o7777,
          stamp: `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.dev}:${stat.ino} ${stat.mode}`,
        };
      });
    } catch (thrown) {
      // A file stands where a folder of this path was.
      if (isPiError(thrown) && thrown.code === "file_not_folder") return { kind: "missing", folders: 0 };
      throw thrown;
    }
  }

  read(path: string, maxBytes: number): Uint8Array | null {
    return this.#at(path, ({ folder, name, shown }) => {
      if (isSecretPath(shown))
        throw fileError("file_secret", `${clip(shown)} is on the list of secret files: it is not copied`);
      const node = this.#node(folder, name);
      if (node === null) throw fileError("file_missing", `${clip(shown)} does not exist`);
      try {
        if (node.kind !== "file") throw fileError("file_special", `${clip(shown)} is not a regular file`);
        return readBounded(this.#access.openFile(node), maxBytes);
      } finally {
        this.#access.release(node);
      }
    });
  }

  write(path: string, bytes: Uint8Array, mode: number): void {
    this.#change(path, ({ folder, name }) => {
      const node = this.#node(folder, name);
      try {
        const old = node?.kind === "file" ? node : null;
        const target = { chain: folder.chain, old, newFolders: folder.missing, name, mode };
        writeFileAt(this.#access, target, bytes);
      } finally {
        if (node) this.#access.release(node);
      }
    });
  }

  link(path: string, target: string): void {
    // The folders come into being with a file that the link then replaces.
    if (this.look(path).kind === "missing") this.write(path, new Uint8Array(), 0o600);
    this.#change(path, ({ folder, name }) => {
      const parent = folder.chain.at(-1)!;
      const temporary = this.#access.within(parent, `.pi-${crypto.randomUUID().slice(0, 13)}.tmp`);
      symlinkSync(target, temporary);
      try {
        renameSync(temporary, this.#access.within(parent, name));
      } catch (thrown) {
        unlinkSync(temporary);
        throw thrown;
      }
    });
  }

  setMode(path: string, mode: number): void {
    this.#change(path, ({ folder, name, shown }) => {
      const node = this.#node(folder, name);
      if (node?.kind !== "file") throw fileError("file_missing", `${clip(shown)} is no file any more`);
      try {
        chmodSync(this.#access.itself(node), mode);
      } finally {
        this.#access.release(node);
      }
    });
  }

  remove(path: string, folders: number): void {
    this.#change(path, ({ folder, name }) => {
      if (folder.missing.length > 0) return;
      const { chain } = folder;
      unlinkSync(this.#access.within(chain.at(-1)!, name));
      // Never the project itself, and only what is empty.
      for (let at = chain.length - 1; at > 0 && at >= chain.length - folders; at--)
        if (!this.#removeFolder(chain[at - 1]!, basename(chain[at]!.path))) return;
    });
  }

  #removeFolder(parent: PathNode, name: string): boolean {
    try {
      rmdirSync(this.#access.within(parent, name));
      return true;
    } catch {
      // something else lies in it: it stays
      return false;
    }
  }

  #node(folder: Place, name: string): PathNode | null {
    return folder.missing.length > 0 ? null : this.#access.child(folder.chain.at(-1)!, name);
  }

  #change(path: string, work: (spot: Spot) => void): void {
    this.#at(path, (spot) => {
      const reason = protectedReason(spot.shown);
      if (reason !== null) throw fileError("file_denied", `${clip(spot.shown)} is protected: ${reason}`);
      if (isSecretPath(spot.shown) && this.#holdsContent(spot))
        throw fileError(
          "file_secret",
          `${clip(spot.shown)} is on the list of secret files: it is not replaced`,
        );
      this.#access.confirm(spot.folder.chain);
      work(spot);
    });
  }

  #holdsContent({ folder, name }: Spot): boolean {
    const node = this.#node(folder, name);
    if (node) this.#access.release(node);
    return (node?.stat.size ?? 0) > 0;
  }

  #at<T>(path: string, work: (spot: Spot) => T): T {
    const name = basename(path);
    if (name === "" || name === "." || name === "..")
      throw fileError("file_name", `${clip(path)} names no file`);
    try {
      using folder = walk(this.#access, [{ path: this.#root, writable: true }], dirname(path));
      if (folder.missing.length === 0 && folder.node?.kind !== "folder")
        throw fileError("file_not_folder", `${clip(dirname(path))} is not a folder`);
      const inside = relative(this.#root, folder.path);
      const shown = (inside === "" ? name : `${inside}${sep}${name}`).replaceAll(sep, "/");
      return work({ folder, name, shown });
    } catch (thrown) {
      if (thrown instanceof Outside)
        throw fileError("file_outside", `${clip(path)} leads out of the project ${clip(this.#root)}`);
      if (systemCode(thrown) !== undefined) throw fromSystem(thrown, path);
      throw thrown;
    }
  }
}

function readBounded(descriptor: number, maxBytes: number): Uint8Array | null {
  try {
    const size = Number(fstatSync(descriptor).size);
    if (size > maxBytes) return null;
    // The size is a hint only: the file may grow while it is read.
    let bytes = new Uint8Array(Math.min(maxBytes, size) + 1);
    let done = 0;
    for (;;) {
      const got = readSync(descriptor, bytes, done, bytes.length - done, done);
      done += got;
      if (got === 0) return bytes.subarray(0, done);
      if (done < bytes.length) continue;
      if (done > maxBytes) return null;
      const larger = new Uint8Array(Math.min(maxBytes + 1, bytes.length * 2));
      larger.set(bytes);
      bytes = larger;
    }
  } finally {
    closeSync(descriptor);
  }
}
