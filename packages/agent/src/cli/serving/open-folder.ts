import { realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { errorMessage, PiError } from "../../contract/errors.ts";

/** The real path of a project folder that a program named. Throws a PiError `no_folder`. */
export function openFolder(path: string): string {
  if (!isAbsolute(path)) throw noFolder(path, "it is not an absolute path");
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (thrown) {
    throw noFolder(path, errorMessage(thrown));
  }
  throw noFolder(path, "it is not a folder");
}

function noFolder(path: string, why: string): PiError {
  return new PiError({
    code: "no_folder",
    message: `no session can work in ${JSON.stringify(path)}: ${why}`,
    hint: "Give the absolute path of a project folder as cwd.",
  });
}
