import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { SpillDoor, SpillFile } from "../contract/tool.ts";

const DEFAULT_LIMIT = 50 * 1024 * 1024;

/**
 * Keeps long output as private files (0600) in `folder` (made at first use with 0700). `newId` gives the part of a file's
 * name that makes it unique. A disk that refuses never throws: `open` gives null, `write` counts the bytes as dropped.
 */
export function createSpillDoor(
  folder: string,
  newId: () => string = () => crypto.randomUUID().slice(0, 8),
): SpillDoor {
  return {
    open(label, limitBytes = DEFAULT_LIMIT) {
      try {
        prepareFolder(folder);
        const name = label.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60) || "output";
        const path = join(folder, `${name}-${newId()}.txt`);
        const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
        return spillFile(path, openSync(path, flags, 0o600), limitBytes);
      } catch {
        // Output is still shown in part; losing the rest must not fail the command that made it.
        return null;
      }
    },
  };
}

function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`${folder} is not a folder`);
  if ((stat.mode & 0o077) !== 0 && process.platform !== "win32") chmodSync(folder, 0o700);
}

function spillFile(path: string, descriptor: number, limitBytes: number): SpillFile {
  let written = 0;
  let dropped = 0;
  let open = true;
  return {
    path,
    get written() {
      return written;
    },
    get dropped() {
      return dropped;
    },
    write(bytes) {
      const kept = open ? Math.min(bytes.length, limitBytes - written) : 0;
      let done = 0;
      try {
        while (done < kept) done += writeSync(descriptor, bytes, done, kept - done);
      } catch {
        // A full disk: what follows would have a hole before it, so nothing more is kept.
        limitBytes = written + done;
      }
      written += done;
      dropped += bytes.length - done;
    },
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}
