import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The temporary files of a confined shell: nobody else's, and gone with it. */
export interface ShellFolder {
  /** Becomes `/tmp` (or TMPDIR). */
  temporary: string;
  longTemporary: string;
  /** A new empty folder for the pipes of one sandbox. */
  newChannels(): string;
  path: string;
  remove(): void;
}

/** Makes the folder below the machine's temporary folder, with 0700. Throws what the system throws (a full disk). */
export function createShellFolder(): ShellFolder {
  const path = mkdtempSync(join(realpathSync(tmpdir()), "pi-sandbox-"));
  let channels = 0;
  const inside = (name: string, mode: number) => {
    const folder = join(path, name);
    mkdirSync(folder);
    // Not through mkdir: the umask would take bits away.
    chmodSync(folder, mode);
    return folder;
  };
  return {
    path,
    temporary: inside("tmp", 0o1777),
    longTemporary: inside("var", 0o1777),
    newChannels: () => inside(`channels-${++channels}`, 0o700),
    remove() {
      try {
        rmSync(path, { recursive: true, force: true });
      } catch {
        // A command may have left what we cannot delete (another user's files): the system's own cleaning will.
      }
    },
  };
}
