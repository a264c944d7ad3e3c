/**
 * A lock between processes that outlives a crash of its owner. The lock is a file that names its owner; it comes into being
 * whole (a hard link), so nobody ever reads half of one.
 *
 * A dead owner's lock is never deleted by its finder, since between looking and deleting a third process may have taken it.
 * It is succeeded: the next owner makes `<lock>.<token of the dead>`, which only one process can, then moves that file
 * onto the lock. Who comes too late finds, on looking again from the start, that the chain does not end with itself.
 */

import { closeSync, linkSync, lstatSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { PiError, systemCode } from "../contract/errors.ts";
import type { Clock } from "../contract/services.ts";
import { fileFailure } from "./file-failure.ts";
import { lifeOf, type ProcessIdentity, processIdentity } from "./process-identity.ts";
import { randomHex } from "./random.ts";
import { readSmallFile } from "./read-small-file.ts";

/** The content of a lock file. */
interface LockOwner extends ProcessIdentity {
  token: string;
}

export interface LockHolder {
  /** Null: a process that is taking the lock this moment and has not said who it is. */
  pid: number | null;
  host: string;
  /** True when it runs on another machine or in another container, so that nobody here can tell whether it lives. */
  elsewhere: boolean;
}

export interface Lock {
  /** Gives the lock back; a second call does nothing. Never throws. */
  release(): void;
}

/** An unreadable lock counts as being written right now for this long, then as left by a crash. */
const UNREADABLE_GRACE_MS = 10_000;

/**
 * One try for the lock at `path` (its folder must exist): the lock, or who holds it. A lock whose owner died is taken
 * over; one held on another machine is never. Throws a PiError with a FileErrorCode when the disk refuses.
 */
export function tryLock(path: string): { lock: Lock } | { heldBy: LockHolder } {
  const owner: LockOwner = { ...processIdentity(), token: randomHex(9) };
  try {
    for (;;) {
      if (create(path, owner)) return { lock: lockOf(path, owner) };
      const tail = lastOwner(path);
      if (tail === null) continue;
      const holder = holderOf(tail.owner);
      if (holder) return { heldBy: holder };
      if (succeed(path, tail, owner)) return { lock: lockOf(path, owner) };
    }
  } catch (thrown) {
    throw fileFailure("lock", path, thrown);
  }
}

/** The lock, or a PiError `lock_held` that names the holder. */
export function acquireLock(path: string): Lock {
  const attempt = tryLock(path);
  if ("lock" in attempt) return attempt.lock;
  throw lockHeld(path, attempt.heldBy);
}

/** Waits for the lock (at most `waitMs`, default 10,000; then PiError `lock_held`), runs, and gives it back. */
export async function withLock<T>(
  path: string,
  run: () => T | Promise<T>,
  options: { clock: Clock; waitMs?: number; signal?: AbortSignal },
): Promise<T> {
  const { clock, waitMs = 10_000, signal } = options;
  const until = clock.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const attempt = tryLock(path);
    if ("lock" in attempt)
      try {
        return await run();
      } finally {
        attempt.lock.release();
      }
    if (clock.now() >= until) throw lockHeld(path, attempt.heldBy);
    // Two waiters must not meet again and again at the same moments.
    await clock.sleep(5 + Math.random() * 20, signal);
  }
}

/** As {@link withLock} for a moment's work that cannot be asynchronous: the process stands still while it waits (default 2,000 ms). */
export function withLockSync<T>(path: string, run: () => T, options: { waitMs?: number } = {}): T {
  const until = performance.now() + (options.waitMs ?? 2_000);
  for (;;) {
    const attempt = tryLock(path);
    if ("lock" in attempt)
      try {
        return run();
      } finally {
        attempt.lock.release();
      }
    if (performance.now() >= until) throw lockHeld(path, attempt.heldBy);
    Bun.sleepSync(0.2 + Math.random() * 2);
  }
}

/** A holder in words: `process 12`, `process 12 on "other"`. */
export function holderName({ pid, host, elsewhere }: LockHolder): string {
  if (pid === null) return "a process that takes it this moment";
  return `process ${pid}${elsewhere ? ` on "${host}"` : ""}`;
}

function lockHeld(path: string, holder: LockHolder): PiError {
  return new PiError({
    code: "lock_held",
    message: `${path} is held by ${holderName(holder)}`,
    hint: holder.elsewhere
      ? `If that process has ended, delete ${path} and try again.`
      : holder.pid === null
        ? "Try again in some seconds."
        : `Wait until process ${holder.pid} is done, or end it.`,
  });
}

function holderOf(owner: LockOwner | "unreadable-fresh" | "unreadable-old"): LockHolder | null {
  if (owner === "unreadable-old") return null;
  if (owner === "unreadable-fresh") return { pid: null, host: processIdentity().host, elsewhere: false };
  const life = lifeOf(owner);
  return life === "dead" ? null : { pid: owner.pid, host: owner.host, elsewhere: life === "elsewhere" };
}

interface Tail {
  owner: LockOwner | "unreadable-fresh" | "unreadable-old";
  token: string;
  /** The files from the lock itself to the tail. */
  files: string[];
}

/** The end of the chain of succession; null when the lock is gone. */
function lastOwner(path: string): Tail | null {
  const files: string[] = [];
  let last: Omit<Tail, "files"> | null = null;
  for (let file = path; ; ) {
    const found = readOwner(file);
    if (found === null) return last && { ...last, files };
    last = found;
    files.push(file);
    file = `${path}.${found.token}`;
  }
}

function readOwner(file: string): Omit<Tail, "files"> | null {
  let text: string;
  let identity: string;
  let age: number;
  try {
    // Not through a link: what it points to is no lock, and where it points to nothing the lock would be neither there nor free.
    const stat = lstatSync(file);
    if (!stat.isFile() && !stat.isDirectory())
      throw Object.assign(new Error("something else than a file is in its place"), { code: "EINVAL" });
    identity = `unreadable-${stat.ino}-${Math.trunc(stat.mtimeMs)}`;
    // A time to come says that the clock was wrong, not that the lock is new.
    age = Math.abs(Date.now() - stat.mtimeMs);
    text = readSmallFile(file);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return null;
    throw thrown;
  }
  try {
    const owner = JSON.parse(text) as Partial<LockOwner> | null;
    if (
      typeof owner?.pid === "number" &&
      typeof owner.host === "string" &&
      /^[0-9a-f]+$/.test(owner.token ?? "")
    )
      return { owner: owner as LockOwner, token: owner.token as string };
  } catch {
    // being written this moment (no hard links here), or left half by a crash
  }
  return { owner: age < UNREADABLE_GRACE_MS ? "unreadable-fresh" : "unreadable-old", token: identity };
}

/** Makes a lock file that is whole from its first moment; false when one is there. */
function create(file: string, owner: LockOwner): boolean {
  const temporary = `${file}.${owner.token}.new`;
  const text = JSON.stringify(owner);
  writeExclusive(temporary, text);
  try {
    linkSync(temporary, file);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === "EEXIST") return false;
    // A file system without hard links: below the file is empty for a moment, which readers take for fresh.
  } finally {
    remove(temporary);
  }
  try {
    writeExclusive(file, text);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === "EEXIST") return false;
    throw thrown;
  }
}

function writeExclusive(file: string, text: string): void {
  const fd = openSync(file, "wx", 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  } catch (thrown) {
    remove(file);
    throw thrown;
  } finally {
    closeSync(fd);
  }
}

function succeed(path: string, tail: Tail, owner: LockOwner): boolean {
  const claim = `${path}.${tail.token}`;
  if (!create(claim, owner)) return false;
  const now = lastOwner(path);
  if (now?.token !== owner.token) {
    remove(claim);
    return false;
  }
  renameSync(claim, path);
  for (const file of tail.files) if (file !== path) remove(file);
  return true;
}

function lockOf(path: string, owner: LockOwner): Lock {
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      try {
        // Someone may have deleted the file by hand, and a new owner come.
        if (readOwner(path)?.token === owner.token) unlinkSync(path);
      } catch {
        // The folder is gone or not ours any more: the lock is void with our process.
      }
    },
  };
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // never made, or already gone
  }
}
