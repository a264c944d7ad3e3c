import { readFileSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import type { FileState } from "../../contract/checkpoint.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";
import { readChanges } from "./file-history.ts";

/**
 * What files were like before a command that is running, on disk as long as it runs: if the process is killed meanwhile, the next
 * one still finds what the command changed.
 */
export class PendingFile {
  readonly #path: string | null;
  #written: string | undefined;

  /** Null: nothing is kept on disk. */
  constructor(path: string | null) {
    this.#path = path;
  }

  /** Throws a PiError with a FileErrorCode when the disk refuses. */
  write(files: ReadonlyMap<string, FileState>): void {
    if (this.#path === null) return;
    const text = JSON.stringify([...files].map(([path, before]) => ({ path, before })));
    if (text === this.#written) return;
    ensurePrivateFolder(dirname(this.#path));
    writeFileAtomic(this.#path, text, { mode: 0o600, durable: false });
    this.#written = text;
  }

  /** What a process that is gone has left; null when it left nothing. */
  left(): Map<string, FileState> | null {
    if (this.#path === null) return null;
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch {
      // the usual case: there is none
      return null;
    }
    try {
      const changes = readChanges(JSON.parse(text));
      return new Map(changes.flatMap(({ path, before }) => (before ? [[path, before] as const] : [])));
    } catch {
      // it is written whole, so this is no file of ours
      return null;
    }
  }

  remove(): void {
    this.#written = undefined;
    if (this.#path === null) return;
    try {
      unlinkSync(this.#path);
    } catch {
      // it is not there
    }
  }
}
