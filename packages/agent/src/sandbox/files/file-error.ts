import { errorMessage, PiError, systemCode } from "../../contract/errors.ts";
import type { FileErrorCode } from "../../contract/files.ts";

/** A PiError whose code is one of the file door's. */
export function fileError(code: FileErrorCode, message: string, hint?: string, cause?: unknown): PiError {
  return new PiError({ code, message, ...(hint === undefined ? {} : { hint }), cause });
}

type Known = [code: FileErrorCode, what: string, hint?: string];

const KNOWN: Record<string, Known> = {
  ENOENT: ["file_missing", "does not exist"],
  ENOTDIR: ["file_not_folder", "has a file where a folder should be"],
  EISDIR: ["file_is_folder", "is a folder"],
  ELOOP: ["file_loop", "is a chain of links without end"],
  EACCES: ["file_denied", "is not accessible: permission denied", "Its owner or its mode must change first."],
  EPERM: [
    "file_denied",
    "is protected: operation not permitted",
    "Its owner or its attributes must change first.",
  ],
  EBUSY: ["file_denied", "is in use (a mount point, or open in another program)"],
  ETXTBSY: ["file_denied", "is a program that is running"],
  ENOSPC: [
    "file_no_space",
    "could not be written: no space left on the disk",
    "Free some space, then try again.",
  ],
  EDQUOT: [
    "file_no_space",
    "could not be written: the disk quota is used up",
    "Free some space, then try again.",
  ],
  EFBIG: ["file_no_space", "could not be written: larger than this file system or process may write"],
  EROFS: ["file_read_only", "could not be written: the file system is read-only"],
  ENAMETOOLONG: ["file_name", "has a name that is too long for the file system"],
  EINVAL: ["file_name", "has a name that the file system does not take"],
  EILSEQ: ["file_name", "has a name that the file system does not take"],
};

/** Turns what the OS threw about `shown` (a path as the tools show it) into a PiError; a PiError passes unchanged. */
export function fromSystem(thrown: unknown, shown: string): PiError {
  if (thrown instanceof PiError) return thrown;
  const code = systemCode(thrown);
  const known = code === undefined ? undefined : KNOWN[code];
  if (known) return fileError(known[0], `${clip(shown)} ${known[1]}`, known[2], thrown);
  return fileError("file_failed", `${clip(shown)}: ${errorMessage(thrown)}`, undefined, thrown);
}

/** A path of any length, short enough for a message. */
export function clip(path: string): string {
  const printable = path.replace(
    /[\0-\x1f\x7f]/g,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  const text = printable.toWellFormed();
  return text.length <= 300 ? text : `${text.slice(0, 297).toWellFormed()}...`;
}
