import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { systemCode } from "../contract/errors.ts";
import { fileFailure } from "./file-failure.ts";
import { randomHex } from "./random.ts";

export interface AtomicWriteOptions {
  /** Exact mode of the file. Without it an existing file keeps its mode and a new one is 0600. */
  mode?: number;
  /** False: skips the fsync. The file is then whole after a crash of the process, not after a power cut. Default true. */
  durable?: boolean;
}

/**
 * Replaces or creates a file so that a reader (and a crash at any moment) sees the old content or the new one, never a
 * part: a temporary sibling, then a rename. A link stays a link: its target is replaced. The folder must exist. What is no file (a
 * device, a FIFO) is never replaced.
 * Throws a PiError with a FileErrorCode; the old file is then untouched and no temporary file is left.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): void {
  let temporary: string | undefined;
  try {
    const target = followLinks(path);
    const old = statOrNull(target);
    temporary = join(dirname(target), `.${basename(target).slice(0, 200)}.${randomHex(6)}.tmp`);
    writeNew(temporary, toBytes(content), options, old);
    replace(temporary, target);
  } catch (thrown) {
    if (temporary !== undefined) removeQuietly(temporary);
    throw fileFailure("write", path, thrown);
  }
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? Buffer.from(content, "utf8") : content;
}

function writeNew(path: string, bytes: Uint8Array, options: AtomicWriteOptions, old: Stats | null): void {
  const mode = options.mode ?? (old ? old.mode & 0o7777 : 0o600);
  const fd = openSync(path, "wx", 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done);
    if (process.platform !== "win32") {
      if (old) keepOwner(fd, old);
      fchmodSync(fd, mode);
    }
    if (options.durable !== false) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function keepOwner(fd: number, old: Stats): void {
  if (old.uid === process.getuid?.() && old.gid === process.getgid?.()) return;
  try {
    fchownSync(fd, old.uid, old.gid);
  } catch {
    // only root may give a file away; the new file is then ours
  }
}

/** The file behind a chain of links, also when the last one points to nothing yet. */
function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT") throw thrown;
  }
  let current = resolve(path);
  for (let hops = 0; hops < 40; hops++) {
    let next: string;
    try {
      next = readlinkSync(current);
    } catch {
      // not a link, or not there: this is where the file goes
      return current;
    }
    current = resolve(dirname(current), next);
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

function statOrNull(path: string): Stats | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw Object.assign(new Error("is a folder"), { code: "EISDIR" });
  // A rename would put our file in the place of a device or a pipe that others use.
  if (stat && !stat.isFile()) throw Object.assign(new Error("it is not a file"), { code: "EINVAL" });
  return stat ?? null;
}

/** Windows refuses to replace a file that another program has open for a moment (virus scanners): try for half a second. */
function replace(from: string, to: string): void {
  for (let attempt = 0; ; attempt++)
    try {
      renameSync(from, to);
      return;
    } catch (thrown) {
      const passing = ["EPERM", "EACCES", "EBUSY"].includes(systemCode(thrown) ?? "");
      if (process.platform !== "win32" || !passing || attempt >= 20) throw thrown;
      Bun.sleepSync(25);
    }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it was never made, or is already renamed
  }
}
