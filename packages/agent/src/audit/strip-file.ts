import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { FileStrip } from "../contract/audit.ts";
import { PiError, systemCode } from "../contract/errors.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import type { FoundFile } from "./find-files.ts";
import { removeHidden } from "./remove-hidden.ts";
import { stripDiff } from "./strip-diff.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_BACKUPS = 1000;

/**
 * Removes the critical and warning characters of a file: a copy of it as it was beside it (`.bak`, else `.bak.1`, …: none is ever
 * overwritten), then the file in one step, with its mode. Null: there is nothing to remove. Throws a PiError that says why it cannot be
 * done; the file is then as it was, and no copy is left.
 */
export function stripFile(file: FoundFile, dryRun: boolean): FileStrip | null {
  if (file.readOnly !== null) throw refusal(file.readOnly);
  const { bytes: old, mode } = readWhole(file.path);
  if ((old[0] === 0xff && old[1] === 0xfe) || (old[0] === 0xfe && old[1] === 0xff))
    throw refusal("it is UTF-16 text: convert it to UTF-8 first");
  const { bytes, removed } = removeHidden(old);
  if (bytes.length === old.length) return null;
  if (dryRun) return { removed, backup: null, diff: stripDiff(file.name, old, bytes) };
  try {
    accessSync(file.path, constants.W_OK);
  } catch {
    throw refusal("it is read-only");
  }
  const backup = writeBackup(file.path, old, mode);
  try {
    // A link may have been put in its place since it was found.
    if (realpathSync(file.path) !== file.path) throw refusal("it was replaced by a link");
    writeFileAtomic(file.path, bytes);
  } catch (thrown) {
    rmSync(backup, { force: true });
    throw thrown;
  }
  return { removed, backup };
}

function readWhole(path: string): { bytes: Buffer; mode: number } {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw refusal("it is not a file");
    if (stat.size > MOST_BYTES)
      throw refusal(`it is too large to be changed in one step (${stat.size} bytes)`);
    return { bytes: readFileSync(fd), mode: stat.mode & 0o777 };
  } finally {
    closeSync(fd);
  }
}

function writeBackup(path: string, bytes: Uint8Array, mode: number): string {
  for (let number = 0; number < MOST_BACKUPS; number++) {
    const backup = number === 0 ? `${path}.bak` : `${path}.bak.${number}`;
    let fd: number;
    try {
      // "wx" also refuses a link that leads nowhere.
      fd = openSync(backup, "wx", mode);
    } catch (thrown) {
      if (systemCode(thrown) === "EEXIST") continue;
      throw thrown;
    }
    try {
      writeFileSync(fd, bytes);
      fsyncSync(fd);
      return backup;
    } catch (thrown) {
      rmSync(backup, { force: true });
      throw thrown;
    } finally {
      closeSync(fd);
    }
  }
  throw refusal(`it has ${MOST_BACKUPS} backups already`);
}

function refusal(message: string): PiError {
  return new PiError({ code: "audit_not_stripped", message });
}
