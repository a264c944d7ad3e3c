import { errorMessage, PiError, systemCode } from "../contract/errors.ts";
import type { FileErrorCode } from "../contract/files.ts";

const KNOWN: Readonly<Record<string, { code: FileErrorCode; what: string; hint: string }>> = {
  ENOENT: { code: "file_missing", what: "there is no such file or folder", hint: "Check the path." },
  ENOTDIR: {
    code: "file_not_folder",
    what: "a part of the path is not a folder",
    hint: "Move the file that is in the way.",
  },
  EISDIR: { code: "file_is_folder", what: "it is a folder", hint: "Move the folder that is in the way." },
  ELOOP: { code: "file_loop", what: "its links go round in a circle", hint: "Remove one of the links." },
  EACCES: { code: "file_denied", what: "permission denied", hint: "Check the owner and mode." },
  EPERM: { code: "file_denied", what: "operation not permitted", hint: "Check the owner and mode." },
  ENOSPC: {
    code: "file_no_space",
    what: "no space left on the disk",
    hint: "Free some space, then try again.",
  },
  EDQUOT: {
    code: "file_no_space",
    what: "the disk quota is used up",
    hint: "Free some space, then try again.",
  },
  EROFS: {
    code: "file_read_only",
    what: "the file system is read-only",
    hint: "Set PI_HOME to a folder that can be written.",
  },
  ENAMETOOLONG: { code: "file_name", what: "the name is too long", hint: "Use a shorter name." },
};

/** What failed and why, in words, with the path: a PiError with a FileErrorCode. `action` is e.g. "write". */
export function fileFailure(action: string, path: string, thrown: unknown): PiError {
  const known = KNOWN[systemCode(thrown) ?? ""];
  return new PiError({
    code: known?.code ?? "file_failed",
    message: `cannot ${action} ${path}: ${known?.what ?? errorMessage(thrown)}`,
    ...(known && { hint: known.hint }),
    cause: thrown,
  });
}
