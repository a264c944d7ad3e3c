import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { PiError, systemCode } from "../contract/errors.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { systemClock } from "../platform/clock.ts";
import { fileFailure } from "../platform/file-failure.ts";
import { withLock } from "../platform/lock.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { editEnvFile } from "./edit-env-file.ts";
import { parseEnvFile } from "./env-file.ts";

/**
 * Writes a key into the user's `.env` file (null: takes it out), for its owner alone (0600). Everything else in it stays; processes
 * take turns; the file is replaced whole. Gives whether anything was changed. Throws a PiError `env_broken` for a file that is no
 * text, which is left as it is, or with a FileErrorCode when the disk refuses.
 */
export async function saveKey(file: string, variable: string, value: string | null): Promise<boolean> {
  ensurePrivateFolder(dirname(file));
  return withLock(
    `${file}.lock`,
    () => {
      const before = read(file);
      if (value === null && !parseEnvFile(before).keys.has(variable)) return false;
      writeFileAtomic(file, editEnvFile(before, variable, value), { mode: 0o600 });
      return true;
    },
    { clock: systemClock },
  );
}

function read(file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return "";
    throw fileFailure("read", file, thrown);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new PiError({
      code: "env_broken",
      message: `${file} was not changed: it is not UTF-8 text`,
      hint: "Correct the file, or move it away. It was left as it is.",
    });
  }
}
