import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { PiError } from "../../contract/errors.ts";
import { fileFailure } from "../../platform/file-failure.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";
import { EVENTS_FILE } from "../session-meta.ts";
import { importExported, isExported } from "./exported-session.ts";
import { type ImportedSession, ImportNotes } from "./imported-log.ts";
import { readPiGoMeta } from "./pi-go-meta.ts";
import { importPiGoSession } from "./pi-go-session.ts";
import { importPiSession, isPiHeader } from "./pi-session.ts";
import { readLines } from "./read-lines.ts";

/** A JSON export is read as a whole. */
const MOST_EXPORT_BYTES = 512 * 1024 * 1024;

/**
 * Another program's session at a path: a file of Pi's, a folder of pi-go's, or what `pi sessions export --format json` wrote. Throws a
 * PiError: `import_unknown` (exit code 2) for anything else, or a FileErrorCode.
 */
export function readForeignSession(path: string): ImportedSession {
  const full = resolve(path);
  if (isFolder(full)) {
    const meta = readPiGoMeta(full, basename(full));
    if (meta !== null) return importPiGoSession(full, meta);
    throw unknown(path, "the folder has no meta.json of pi-go");
  }
  const notes = new ImportNotes();
  const lines = readLines(full, notes);
  const first = lines.next();
  const value = parse(first.done ? "" : first.value);
  if (isPiHeader(value)) return importPiSession(value, lines);
  lines.return(undefined);
  const whole = parse(readWhole(full));
  if (isExported(whole)) return importExported(whole);
  throw unknown(path, "its first line is no header of Pi, and it is no JSON export of pi");
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (thrown) {
    throw fileFailure("read", path, thrown);
  }
}

function readWhole(path: string): string {
  try {
    return readSmallFile(path, MOST_EXPORT_BYTES);
  } catch (thrown) {
    throw fileFailure("read", path, thrown);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // not JSON: no session of any kind
    return null;
  }
}

function unknown(path: string, why: string): PiError {
  return new PiError({
    code: "import_unknown",
    message: `${path} is no session that can be imported: ${why}`,
    hint: `Give a session file of Pi (.jsonl), a session folder of pi-go (with ${join("", EVENTS_FILE)}), or a file of pi sessions export --format json.`,
    exitCode: 2,
  });
}
