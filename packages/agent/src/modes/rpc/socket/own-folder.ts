import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { PiError, systemCode } from "../../../contract/errors.ts";
import { fileFailure } from "../../../platform/file-failure.ts";

/**
 * Makes a folder that only its owner may enter, in one that is there. Throws a PiError `socket_folder` for one that another user, or a
 * link, has put in its place; else a FileErrorCode.
 */
export function ensureOwnFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (systemCode(thrown) !== "EEXIST") throw notMade(path, thrown);
  }
  const stat = lstatSync(path);
  if (!stat.isDirectory()) throw notOurs(path, stat.isSymbolicLink() ? "it is a link" : "it is no folder");
  if (stat.uid !== process.getuid?.()) throw notOurs(path, `it belongs to user ${stat.uid}`);
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** A runtime folder that is not there (su, a container) or cannot be written is no matter of our state folder. */
function notMade(path: string, thrown: unknown): PiError {
  const { code, message } = fileFailure("make the folder for the socket,", path, thrown);
  return new PiError({
    code,
    message,
    hint: "Name another place: --socket PATH, or set XDG_RUNTIME_DIR to a folder of yours.",
    exitCode: 2,
    cause: thrown,
  });
}

function notOurs(path: string, why: string): PiError {
  return new PiError({
    code: "socket_folder",
    message: `the folder for the socket, ${path}, is not used: ${why}`,
    hint: "Remove it, or name another place: --socket PATH",
    exitCode: 2,
  });
}
