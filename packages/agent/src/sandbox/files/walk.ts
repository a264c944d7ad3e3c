import { readlinkSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { systemCode } from "../../contract/errors.ts";
import { type Anchor, enterAnchor, namesOf, type Start, startOf } from "./anchors.ts";
import { clip, fileError, fromSystem } from "./file-error.ts";
import type { FolderAccess, PathNode } from "./folder-access.ts";

/** As many links in one path as the kernel follows (path_resolution(7)). */
const MAX_LINKS = 40;

/** What a path leads to. Holds open descriptors: dispose it. */
export interface Place extends Disposable {
  readonly anchor: Anchor;
  /** The folders from the anchor down; the last is the found folder itself, or the one that holds (or would hold) the file. */
  readonly chain: readonly PathNode[];
  /** What was found, never a link; null when it does not exist. */
  readonly node: PathNode | null;
  /** Names below the last folder that do not exist. */
  readonly missing: readonly string[];
  /** Names of the links that were followed. */
  readonly links: readonly string[];
  /** The path as asked ends in a separator: only a folder can be meant. */
  readonly wantsFolder: boolean;
  /** Absolute real path, also of what does not exist yet. */
  readonly path: string;
}

/**
 * Walks `path` (absolute, or relative to the first anchor) name by name, never letting the OS follow a link. Throws
 * {@link Outside} or a PiError with a FileErrorCode.
 */
export function walk(access: FolderAccess, anchors: readonly Anchor[], path: string): Place {
  checkName(path);
  const walker = new Walker(access, anchors, path);
  try {
    walker.run();
    return walker;
  } catch (thrown) {
    walker[Symbol.dispose]();
    throw fromSystemOrOutside(thrown, path);
  }
}

function fromSystemOrOutside(thrown: unknown, path: string): unknown {
  return thrown instanceof Error && "code" in thrown ? fromSystem(thrown, path) : thrown;
}

function checkName(path: string): void {
  if (path === "") throw fileError("file_name", "the path is empty");
  if (path.includes("\0")) throw fileError("file_name", `the path ${clip(path)} contains a NUL byte`);
  if (!path.isWellFormed()) throw fileError("file_name", `the path ${clip(path)} contains half a character`);
}

class Walker implements Place {
  anchor: Anchor;
  chain: PathNode[] = [];
  node: PathNode | null = null;
  missing: string[] = [];
  links: string[] = [];
  wantsFolder: boolean;
  readonly #access: FolderAccess;
  readonly #anchors: readonly Anchor[];
  readonly #asked: string;
  #rest: string[] = [];

  constructor(access: FolderAccess, anchors: readonly Anchor[], asked: string) {
    this.#access = access;
    this.#anchors = anchors;
    this.#asked = asked;
    const first = anchors[0];
    if (!first) throw new Error("a walk needs an anchor");
    this.anchor = first;
    this.wantsFolder = ["", ".", ".."].includes(namesOf(asked).at(-1) ?? "");
  }

  get path(): string {
    const base = this.node?.path ?? this.chain.at(-1)?.path ?? this.anchor.path;
    return this.missing.length > 0 ? join(base, ...this.missing) : base;
  }

  run(): void {
    this.#begin(
      isAbsolute(this.#asked)
        ? startOf(this.#anchors, this.#asked)
        : { anchor: this.anchor, rest: namesOf(this.#asked) },
    );
    for (;;) {
      const name = this.#rest.shift();
      if (name === undefined) break;
      if (name === "" || name === ".") continue;
      if (name === "..") this.#up();
      else this.#down(name);
    }
    if (this.missing.length === 0 && this.node === null) this.node = this.chain.at(-1) ?? null;
  }

  #begin(start: Start): void {
    this.#releaseAll();
    this.anchor = start.anchor;
    this.#rest = start.rest;
    this.chain = [this.#access.root(start.anchor.path)];
  }

  #up(): void {
    // A folder that does not exist has its own name's parent; no link can hide there.
    if (this.missing.pop() !== undefined) return;
    if (this.chain.length > 1) this.#access.release(this.chain.pop()!);
    else this.#begin(enterAnchor(this.#anchors, dirname(this.anchor.path), this.#rest));
  }

  #down(name: string): void {
    if (this.missing.length > 0) {
      this.missing.push(name);
      return;
    }
    const folder = this.chain.at(-1)!;
    const child = this.#access.child(folder, name);
    if (child === null) this.missing.push(name);
    else if (child.kind === "link") this.#follow(folder, child, name);
    else if (child.kind === "folder") this.#enter(child);
    else {
      this.node = child;
      if (this.#rest.length > 0)
        throw fileError("file_not_folder", `${clip(this.#asked)}: ${clip(name)} is a file, not a folder`);
    }
  }

  #enter(folder: PathNode): void {
    this.chain.push(folder);
    const main = this.#anchors[0];
    if (main && this.anchor !== main && folder.path === main.path) {
      // The project lies inside a folder that may only be read: from here on the project's rules hold.
      for (const above of this.chain.splice(0, this.chain.length - 1)) this.#access.release(above);
      this.anchor = main;
    }
  }

  #follow(folder: PathNode, link: PathNode, name: string): void {
    this.#access.release(link);
    if (this.links.push(name) > MAX_LINKS)
      throw fileError("file_loop", `${clip(this.#asked)} is a chain of links without end`);
    const target = this.#targetOf(folder, name);
    if (target === null) {
      this.#rest.unshift(name);
      return;
    }
    if (isAbsolute(target)) {
      const start = startOf(this.#anchors, target);
      this.#begin({ anchor: start.anchor, rest: [...start.rest, ...this.#rest] });
    } else this.#rest = [...namesOf(target), ...this.#rest];
  }

  /** Null when the name stopped being a link since it was looked up: then it is looked up again. */
  #targetOf(folder: PathNode, name: string): string | null {
    try {
      return readlinkSync(this.#access.within(folder, name));
    } catch (thrown) {
      if (["EINVAL", "ENOENT"].includes(systemCode(thrown) ?? "")) return null;
      throw thrown;
    }
  }

  #releaseAll(): void {
    for (const folder of this.chain) this.#access.release(folder);
    this.chain = [];
  }

  [Symbol.dispose](): void {
    if (this.node && this.node !== this.chain.at(-1)) this.#access.release(this.node);
    this.node = null;
    this.#releaseAll();
  }
}
