import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { PiError } from "../../contract/errors.ts";
import { fileFailure } from "../../platform/file-failure.ts";

/** TMPDIR inside a sandbox: below its own `/tmp`, where no name of the machine's temporary files is in the way. */
export const SESSION_TEMPORARY = "/tmp/pi-session";

/** The temporary files of a confined shell: nobody else's, and deleted by whoever owns the shell's processes. */
export interface ShellFolder {
  /** Becomes `/tmp`; where there is no such mount, TMPDIR. */
  temporary: string;
  longTemporary: string;
  /** A new empty folder for the pipes of one sandbox. */
  newChannels(): string;
  path: string;
}

/**
 * Does something below the machine's temporary folder. Throws a PiError `temporary_folder` where that is full, gone or read-only: it has
 * nothing to do with the sandbox, and turning that off would not help.
 */
export function inTemporary<T>(action: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw new PiError({
      code: "temporary_folder",
      message: fileFailure(action, path, thrown).message,
      hint: `Nothing was run. Commands need room for temporary files in ${tmpdir()}: the user can free some there, or set TMPDIR to another folder and start again.`,
      cause: thrown,
    });
  }
}

/** Makes the folder below the machine's temporary folder, with 0700. Throws a PiError `temporary_folder`. */
export function createShellFolder(): ShellFolder {
  const path = inTemporary("make a folder in", tmpdir(), () =>
    mkdtempSync(join(realpathSync(tmpdir()), "pi-sandbox-")),
  );
  let channels = 0;
  const inside = (name: string, mode: number) => {
    const folder = join(path, name);
    inTemporary("make the folder", folder, () => {
      mkdirSync(folder);
      // Not through mkdir: the umask would take bits away.
      chmodSync(folder, mode);
    });
    return folder;
  };
  const temporary = inside("tmp", 0o1777);
  inside(join("tmp", basename(SESSION_TEMPORARY)), 0o1777);
  return {
    path,
    temporary,
    longTemporary: inside("var", 0o1777),
    newChannels: () => inside(`channels-${++channels}`, 0o700),
  };
}
