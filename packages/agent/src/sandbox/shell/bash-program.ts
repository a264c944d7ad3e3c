import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { PiError } from "../../contract/errors.ts";

const USUAL = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"];
/** Git for Windows; `bash` on the PATH of Windows is WSL's, which sees other paths. */
const WINDOWS = ["C:\\Program Files\\Git\\bin\\bash.exe", "C:\\Program Files (x86)\\Git\\bin\\bash.exe"];

/** Absolute path of an executable in the folders of `path` (the PATH variable), or undefined. */
export function findProgram(name: string, path: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    // An empty or relative entry means the current folder, which is the project's: nothing of it starts this way.
    if (!folder.startsWith("/")) continue;
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** The bash that runs commands: the system's, else the first on `path`. Throws PiError `process_missing`. */
export function findBash(path: string): string {
  const found =
    process.platform === "win32"
      ? WINDOWS.find((candidate) => existsSync(candidate))
      : (USUAL.find((candidate) => existsSync(candidate)) ?? findProgram("bash", path));
  if (found !== undefined) return found;
  throw new PiError({
    code: "process_missing",
    message: "There is no bash on this machine, so no command can be run",
    hint:
      process.platform === "win32"
        ? "Install Git for Windows, which brings bash. Files can still be read and changed with the other tools."
        : "Install bash. Files can still be read and changed with the other tools.",
  });
}
