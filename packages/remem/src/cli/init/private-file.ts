import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { CliError } from "../cli-error.ts";

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
const OWNER_WRITES = 0o200;
/** Another program that changes the same file takes a moment; one that died in it is not waited for. */
const LOCK_PATIENCE_MS = 3_000;
const LOCK_STALE_MS = 10_000;
const RETRY_MS = 20;

/**
 * Changes a file that others may change at the same moment: `change` gets what it holds (undefined: nothing is there) and gives what it shall
 * hold, or null to leave it. Readers see the old content or the new one, also where the disk is full. A link stays one. A file that is
 * `shared` with another program keeps its mode; any other one, and a new one, is for its owner alone. Rejects with a CliError for a file
 * that its owner has made read-only.
 */
export async function changePrivateFile(
  path: string,
  read: (path: string) => string | undefined,
  change: (content: string | undefined) => string | null,
  { shared }: { readonly shared: boolean },
): Promise<boolean> {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_FOLDER });
  const target = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path;
  const lock = `${target}.lock`;
  await takeLock(lock);
  try {
    const content = change(read(target));
    if (content === null) return false;
    const known = statSync(target, { throwIfNoEntry: false });
    if (known !== undefined && (known.mode & OWNER_WRITES) === 0)
      throw new CliError(
        "read_only",
        `${target} is read-only`,
        `make it writable (chmod u+w), or change it where it comes from; it was not changed`,
      );
    replaceFile(target, content, shared && known !== undefined ? known.mode & 0o7777 : OWNER_FILE);
    return true;
  } finally {
    rmSync(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<void> {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      closeSync(openSync(lock, "wx", OWNER_FILE));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    // Some programs take the same lock by making a folder.
    if (age > LOCK_STALE_MS) rmSync(lock, { recursive: true, force: true });
    else if (waited >= LOCK_PATIENCE_MS)
      throw new CliError(
        "busy",
        `another program is changing the settings (${lock})`,
        "try again; delete that file if no such program runs",
      );
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function replaceFile(target: string, content: string, mode: number): void {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    const descriptor = openSync(temporary, "w", OWNER_FILE);
    try {
      // Not writeSync: a disk that is full takes the first part of a text and says nothing.
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(temporary, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
