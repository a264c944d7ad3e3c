import {
  closeSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { CapturedEntry } from "../../core/capture/captured-entry.ts";
import type { SessionSummary } from "../../core/ports/memory-store.ts";
import type { Scheduler } from "../../core/ports/scheduler.ts";
import type { FolderIdentity } from "../folder-identity.ts";
import { type OutboxLine, outboxName } from "./outbox-file.ts";
import { ownProcess } from "./owner.ts";

export interface OutboxOptions {
  /** The folder of all outboxes of one store; made, readable by its owner only, when the first entry comes. */
  readonly folder: string;
  readonly identity: FolderIdentity;
  readonly scheduler: Scheduler;
  /** Lower-case letters and digits. */
  readonly token: string;
  /** Entries are left on purpose: closing does not wait for the disk. Default false. */
  readonly leaves?: boolean;
}

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
const FSYNC_MS = 100;
/** From here on only what a person typed is written. */
const FULL_BYTES = 4 * 1024 * 1024;
const BRIM_BYTES = 4 * FULL_BYTES;

/**
 * What this process has captured and the store does not have yet, in a file of its own, so that a crash at any moment loses
 * nothing that was taken. Holds screened text only. Methods never throw.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #live = new Set<string>();
  readonly #owner = ownProcess();
  #descriptor: number | undefined;
  #headerBytes = 0;
  #bytes = 0;
  #cancelFsync: (() => void) | undefined;
  #closed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Entries that are here and not stored. */
  get size(): number {
    return this.#live.size;
  }

  /** Writes entries down; gives how many could not be. */
  keep(entries: readonly CapturedEntry[]): number {
    const limit = (entry: CapturedEntry): number => (entry.weight === "typed" ? BRIM_BYTES : FULL_BYTES);
    const kept = entries.filter((entry) => this.#bytes < limit(entry));
    if (!this.#append(kept.map((entry) => ({ entry })))) return entries.length;
    for (const { id } of kept) this.#live.add(id);
    return entries.length - kept.length;
  }

  /** Writes a session's summary down, its project still to be told; false when it could not be. */
  keepSummary(summary: SessionSummary): boolean {
    if (!this.#append([{ summary }])) return false;
    this.#live.add(`summary of ${summary.sessionId}`);
    return true;
  }

  /** Entries that are stored, or not wanted any more. */
  done(entries: readonly CapturedEntry[]): void {
    const ids = entries.map(({ id }) => id).filter((id) => this.#live.delete(id));
    if (ids.length === 0 || this.#descriptor === undefined) return;
    if (this.#live.size > 0) this.#append([{ done: ids }]);
    else this.#empty();
  }

  /** Ends: an empty file is removed, one with entries is left to the next process. Gives how many entries are left. */
  close(): number {
    if (this.#closed) return this.#live.size;
    this.#closed = true;
    this.#cancelFsync?.();
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return 0;
    this.#descriptor = undefined;
    try {
      if (this.#live.size > 0 && this.#options.leaves !== true) fsyncSync(descriptor);
      closeSync(descriptor);
      if (this.#live.size === 0) unlinkSync(this.#path(false));
      else renameSync(this.#path(false), this.#path(true));
    } catch {
      // The file stays under its owner's name and is found when the owner is gone.
    }
    return this.#live.size;
  }

  #path(left: boolean): string {
    return join(this.#options.folder, outboxName(this.#owner, this.#options.token, left));
  }

  #append(lines: readonly OutboxLine[]): boolean {
    if (this.#closed) return false;
    if (lines.length === 0) return true;
    try {
      const descriptor = this.#open();
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      this.#bytes += this.#write(descriptor, text);
      this.#scheduleFsync();
      return true;
    } catch {
      // A full disk or a folder that cannot be written: what is taken is only in memory, as long as it lasts.
      return false;
    }
  }

  #open(): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    mkdirSync(this.#options.folder, { recursive: true, mode: OWNER_FOLDER });
    const descriptor = openSync(this.#path(false), "a", OWNER_FILE);
    this.#descriptor = descriptor;
    const header: OutboxLine = { outbox: 1, identity: this.#options.identity };
    this.#headerBytes = this.#write(descriptor, `${JSON.stringify(header)}\n`);
    this.#bytes = this.#headerBytes;
    return descriptor;
  }

  #write(descriptor: number, text: string): number {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    return bytes.length;
  }

  #empty(): void {
    try {
      ftruncateSync(this.#descriptor!, this.#headerBytes);
      this.#bytes = this.#headerBytes;
    } catch {
      // Entries that are stored are known to the store; found again they are joined.
    }
  }

  #scheduleFsync(): void {
    this.#cancelFsync ??= this.#options.scheduler.after(FSYNC_MS, () => {
      this.#cancelFsync = undefined;
      if (this.#descriptor !== undefined && this.#live.size > 0) fsync(this.#descriptor, () => undefined);
    });
  }
}
