import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { fileFailure } from "../../platform/file-failure.ts";
import { createLineSplitter } from "../../platform/json-lines.ts";
import type { ImportNotes } from "./imported-log.ts";

const PIECE = 1024 * 1024;

/** The lines of a file, in memory that does not grow with it; lines beyond 64 MB are noted and left out. Throws a PiError with a FileErrorCode. */
export function* readLines(path: string, notes: ImportNotes): Generator<string> {
  const fd = attempt(path, () => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  try {
    attempt(path, () => {
      if (!fstatSync(fd).isFile()) throw new Error("it is not a file");
    });
    const splitter = createLineSplitter();
    const buffer = Buffer.allocUnsafe(PIECE);
    for (;;) {
      const length = attempt(path, () => readSync(fd, buffer, 0, PIECE, null));
      const lines = length === 0 ? [splitter.end() ?? []].flat() : splitter.push(buffer.subarray(0, length));
      for (const { bytes } of lines)
        if (bytes === null) notes.leftOut("line of more than 64 MB", "lines of more than 64 MB");
        else yield new TextDecoder().decode(bytes);
      if (length === 0) return;
    }
  } finally {
    closeSync(fd);
  }
}

function attempt<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw fileFailure("read", path, thrown);
  }
}
