import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { isPiError } from "../../contract/errors.ts";
import type { FileDoor, FileHandle } from "../../contract/files.ts";
import { isSecretPath } from "../secrets.ts";
import { type Anchor, namesOf, Outside } from "./anchors.ts";
import { clip, fileError, fromSystem } from "./file-error.ts";
import type { FolderAccess, PathNode } from "./folder-access.ts";
import { handleAccess } from "./handle-access.ts";
import { listFolder } from "./list-folder.ts";
import { OpenFile } from "./open-file.ts";
import { pathAccess } from "./path-access.ts";
import { protectedReason } from "./protected.ts";
import { type Place, walk } from "./walk.ts";
import { writeFileAt } from "./write-file.ts";

/** What a file door is made for. */
export interface FileDoorOptions {
  /** The project folder, in any spelling. */
  root: string;
  /** Folders outside of it that may be read; they need not exist yet. A function is asked each time. */
  extraRoots?: readonly string[] | (() => readonly string[]);
  /** `paths` is what macOS and Windows get; tests ask for it on Linux. Default: handles where the OS has them. */
  confinement?: "handles" | "paths";
}

/** The door to one project's files. Throws `file_missing` or `file_not_folder` when `root` is no folder. */
export function createFileDoor(options: FileDoorOptions): FileDoor {
  return new ConfinedFiles(options);
}

/** How this system walks folders, or as it was asked for. */
export function accessFor(asked: FileDoorOptions["confinement"]): FolderAccess {
  const handles = process.platform === "linux" && existsSync("/proc/self/fd");
  return asked !== "paths" && handles ? handleAccess : pathAccess;
}

function realRoot(root: string): string {
  try {
    const real = realpathSync.native(root);
    if (!statSync(real).isDirectory())
      throw fileError("file_not_folder", `the project ${clip(root)} is not a folder`);
    return real;
  } catch (thrown) {
    throw fromSystem(thrown, root);
  }
}

class ConfinedFiles implements FileDoor {
  readonly root: string;
  readonly #access: FolderAccess;
  readonly #extras: () => readonly string[];

  constructor(options: FileDoorOptions) {
    this.root = realRoot(options.root);
    this.#access = accessFor(options.confinement);
    const { extraRoots = [] } = options;
    this.#extras = typeof extraRoots === "function" ? extraRoots : () => extraRoots;
  }

  get extraRoots(): readonly string[] {
    return this.#anchors()
      .slice(1)
      .map((anchor) => anchor.path);
  }

  display(path: string): string {
    const lexical = this.#relativeTo(resolve(this.root, path));
    if (lexical !== null) return lexical;
    try {
      using place = this.#walk(path);
      return this.#shown(place.path);
    } catch {
      // Only for showing: a path that leads nowhere is shown as it was asked.
      return path;
    }
  }

  key(path: string): string {
    try {
      using place = this.#walk(path);
      return place.path;
    } catch {
      // Refused by every method that would touch it; its spelling is key enough.
      return resolve(this.root, path);
    }
  }

  real(path: string): string {
    using place = this.#walk(path);
    return place.path;
  }

  stat(path: string) {
    using place = this.#walk(path);
    return this.#existing(place, path).stat;
  }

  exists(path: string): boolean {
    try {
      using place = this.#walk(path);
      return place.node !== null;
    } catch (thrown) {
      if (isPiError(thrown) && ["file_missing", "file_not_folder"].includes(thrown.code)) return false;
      throw thrown;
    }
  }

  isSecret(path: string): boolean {
    try {
      using place = this.#walk(path);
      return this.#secret(place);
    } catch {
      // It cannot be opened anyway; its name alone decides what is said of it.
      return isSecretPath(path);
    }
  }

  open(path: string): FileHandle {
    using place = this.#walk(path);
    const node = this.#existing(place, path);
    const shown = this.#shown(node.path);
    this.#refuseSecret(place, shown);
    if (node.kind === "folder") throw fileError("file_is_folder", `${clip(shown)} is a folder`);
    if (node.kind !== "file") throw special(shown);
    let descriptor: number;
    try {
      this.#access.confirm(place.chain);
      descriptor = this.#access.openFile(node);
    } catch (thrown) {
      throw fromSystem(thrown, shown);
    }
    return new OpenFile(shown, node, descriptor);
  }

  readAll(path: string, maxBytes: number): Uint8Array {
    const file = this.open(path);
    try {
      // The size is a hint only: the file may grow while it is read, and some file systems say 0.
      if (file.stat.size <= maxBytes) {
        const bytes = file.read(0, Math.min(maxBytes, file.stat.size + 65_536) + 1);
        if (bytes.length <= Math.min(maxBytes, file.stat.size + 65_536)) return bytes;
      }
      const size = Math.max(file.stat.size, maxBytes + 1);
      throw fileError(
        "file_failed",
        `${clip(file.path)} has ${size} bytes, more than the ${maxBytes} allowed here`,
      );
    } finally {
      file.close();
    }
  }

  write(path: string, bytes: Uint8Array): ReturnType<FileDoor["write"]> {
    using place = this.#walk(path);
    const shown = this.#shown(place.path);
    if (!place.anchor.writable)
      throw fileError(
        "file_outside",
        `${clip(shown)} lies outside of the project and may only be read`,
        this.#inside(path),
      );
    if (place.wantsFolder || place.node?.kind === "folder")
      throw fileError("file_is_folder", `${clip(shown)} is a folder`, "Name a file in it.");
    if (place.node && place.node.kind !== "file") throw special(shown);
    if (place.node) this.#refuseSecret(place, shown);
    const reason = protectedReason(this.#relativeTo(place.path) ?? shown);
    if (reason)
      throw fileError("file_denied", `${clip(shown)} is protected: ${reason}`, "Ask the user to change it.");
    const names = place.node ? [place.node.path.slice(place.node.path.lastIndexOf(sep) + 1)] : place.missing;
    const target = {
      chain: place.chain,
      old: place.node,
      newFolders: names.slice(0, -1),
      name: names.at(-1) ?? "",
    };
    try {
      writeFileAt(this.#access, target, bytes);
    } catch (thrown) {
      throw fromSystem(thrown, shown);
    }
    return { created: place.node === null, path: shown, otherNames: (place.node?.names ?? 1) - 1 };
  }

  list(path: string, options?: { sizes?: boolean }) {
    using place = this.#walk(path);
    const node = this.#existing(place, path);
    const shown = this.#shown(node.path);
    if (node.kind !== "folder") throw fileError("file_not_folder", `${clip(shown)} is a file, not a folder`);
    try {
      this.#access.confirm(place.chain);
      return listFolder(this.#access, node, options?.sizes ?? true);
    } catch (thrown) {
      throw fromSystem(thrown, shown);
    }
  }

  #anchors(): Anchor[] {
    const anchors: Anchor[] = [{ path: this.root, writable: true }];
    for (const extra of this.#extras()) {
      try {
        anchors.push({ path: realpathSync.native(extra), writable: false });
      } catch {
        // Not made yet: nothing in it can be read.
      }
    }
    return anchors;
  }

  #walk(path: string): Place {
    this.#refuseUnexpanded(path);
    try {
      return walk(this.#access, this.#anchors(), path);
    } catch (thrown) {
      if (!(thrown instanceof Outside)) throw thrown;
      const message = `${clip(path)} leads out of the project ${clip(this.root)}`;
      throw fileError("file_outside", message, this.#inside(path));
    }
  }

  /** What shells expand would make folders called `~` and `file:` here. One that really exists may be used. */
  #refuseUnexpanded(path: string): void {
    const first = /^(~|[$]HOME|[$][{]HOME[}]|file:)(?=[/\\]|$)/.exec(path)?.[0];
    if (first === undefined || (first === "file:" && !path.startsWith("file://"))) return;
    if (lstatSync(join(this.root, first), { throwIfNoEntry: false }) !== undefined) return;
    throw fileError(
      "file_outside",
      `${clip(path)} is no path here: ${first === "file:" ? "a URL is not taken" : `${first} is not expanded`}`,
      this.#inside(path),
    );
  }

  /** The file of the project that a path from elsewhere (a worktree's parent, another checkout) probably means. */
  #inside(path: string): string {
    const names = namesOf(path).filter((name) => !["", ".", ".."].includes(name));
    for (let from = Math.max(0, names.length - 32); from < names.length; from++) {
      const candidate = names.slice(from).join("/");
      try {
        using place = walk(this.#access, [{ path: this.root, writable: true }], candidate);
        if (place.node) return `In this project that is ${clip(candidate)}: use this path.`;
      } catch {
        // A candidate that leads nowhere is no hint.
      }
    }
    return "Only paths inside the project can be used, best relative to it.";
  }

  #existing(place: Place, asked: string): PathNode {
    if (place.node) return place.node;
    throw fileError("file_missing", `${clip(this.display(asked))} does not exist`);
  }

  #secret(place: Place): boolean {
    // A folder holds nothing itself: a virtual environment may be called `.env`.
    if (place.node?.kind === "folder") return false;
    return isSecretPath(this.#relativeTo(place.path) ?? place.path) || place.links.some(isSecretPath);
  }

  #refuseSecret(place: Place, shown: string): void {
    if (place.node?.kind !== "file" || !this.#secret(place)) return;
    const hint =
      "Work with its name only (.env.example and the like are free), or ask the user for what you need of it.";
    throw fileError(
      "file_secret",
      `${clip(shown)} is on the list of secret files: its contents are not shown`,
      hint,
    );
  }

  /** Relative to the root with `/`, or null when outside. */
  #relativeTo(absolute: string): string | null {
    const path = relative(this.root, absolute);
    if (path === "") return ".";
    if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return null;
    return sep === "/" ? path : path.replaceAll(sep, "/");
  }

  #shown(absolute: string): string {
    return this.#relativeTo(absolute) ?? absolute;
  }
}

function special(shown: string): Error {
  return fileError("file_special", `${clip(shown)} is a device, socket or FIFO, not a regular file`);
}
