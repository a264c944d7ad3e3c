import { closeSync, readSync } from "node:fs";
import type { FileHandle } from "../../contract/files.ts";
import { fromSystem } from "./file-error.ts";
import type { PathNode } from "./folder-access.ts";

/** A regular file, open for reading. Owns the descriptor. */
export class OpenFile implements FileHandle {
  readonly path: string;
  readonly stat: PathNode["stat"];
  #descriptor: number;

  constructor(path: string, node: PathNode, descriptor: number) {
    this.path = path;
    this.stat = node.stat;
    this.#descriptor = descriptor;
  }

  read(position: number, length: number, into: Uint8Array = new Uint8Array(length)): Uint8Array {
    let done = 0;
    try {
      while (done < length) {
        const got = readSync(this.#descriptor, into, done, length - done, position + done);
        if (got === 0) break;
        done += got;
      }
    } catch (thrown) {
      throw fromSystem(thrown, this.path);
    }
    return into.subarray(0, done);
  }

  close(): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}
