import { CorrectionError } from "../core/corrections/correction-error.ts";
import { StoreError } from "../core/errors.ts";
import { ManagerError } from "../core/manager/manager-error.ts";
import { CliError, EXIT } from "./cli-error.ts";

/** A failure in words, for people and for programs. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exitCode: number;
}

/** What the operating system says, and what to do about it. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  ENOENT: "check the path",
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "name a file, not a folder",
  EACCES: "check the owner and the permissions",
  EPERM: "check the owner and the permissions",
  EROFS: "its disk is read-only: choose another place",
  ENOSPC: "free some space on its disk",
  EFBIG: "its disk, or a limit that is set here, takes no file of that size",
  EIO: "its disk does not work",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "choose a shorter name",
  EDQUOT: "free some space: your quota is used up",
  EEXIST: "name a file that does not exist",
};

/** Tells a failure in words; an error that nobody expected is called a bug, with its text. */
export function describeFailure(error: unknown): Failure {
  if (CliError.is(error)) return error;
  if (StoreError.is(error) || ManagerError.is(error) || CorrectionError.is(error)) {
    const { code, message, hint } = error;
    return { code, message, hint, exitCode: NOTHING.has(code) ? EXIT.nothing : EXIT.failed };
  }
  const { code, path, message } = error as { code?: unknown; path?: unknown; message?: unknown };
  if (typeof code === "string" && Object.hasOwn(SYSTEM_HINTS, code))
    return {
      code: "file_failed",
      message: `${typeof path === "string" ? path : "a file"} cannot be used (${code})`,
      hint: SYSTEM_HINTS[code]!,
      exitCode: EXIT.failed,
    };
  return {
    code: "fault",
    message: `${typeof message === "string" ? message : String(error)} (this is a bug)`,
    hint: "nothing that was stored before is lost; please report it",
    exitCode: EXIT.failed,
  };
}

/** Failures that say: looked, and there was nothing. */
const NOTHING: ReadonlySet<string> = new Set(["unknown_memory", "nothing_selected", "unknown_correction"]);
