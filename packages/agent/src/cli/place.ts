import { realpathSync } from "node:fs";
import { errorMessage, isPiError, PiError } from "../contract/errors.ts";
import { type HomeFolders, homeFolders } from "../platform/home.ts";

/** Where a run happens. */
export interface Place {
  environment: Readonly<Record<string, string | undefined>>;
  home: HomeFolders;
  /** The project folder: a real path. */
  cwd: string;
}

/** This process's place. Throws a PiError (exit code 2) when the current folder cannot be entered any more. */
export function currentPlace(): Place {
  try {
    return { environment: process.env, home: homeFolders(process.env), cwd: realpathSync(process.cwd()) };
  } catch (error) {
    if (isPiError(error)) throw error;
    if (nameOf().includes("\uFFFD"))
      throw new PiError({
        code: "no_folder",
        message: "the name of the current folder (or of one above it) is not valid UTF-8",
        hint: "rename it; pi cannot work in it",
        exitCode: 2,
        cause: error,
      });
    throw new PiError({
      code: "no_folder",
      message: `the current folder cannot be entered: ${errorMessage(error)}`,
      hint: "change into the project's folder first",
      exitCode: 2,
      cause: error,
    });
  }
}

/** The current folder's name as this runtime can tell it: bytes that are no UTF-8 are U+FFFD. */
function nameOf(): string {
  try {
    return process.cwd();
  } catch {
    // deleted
    return "";
  }
}
