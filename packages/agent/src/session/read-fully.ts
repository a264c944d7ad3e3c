import { readSync } from "node:fs";

/** Reads `length` bytes at `position` into the start of `buffer`; fewer only at the end of the file. Returns how many. */
export function readFully(fd: number, buffer: Buffer, position: number, length: number): number {
  let done = 0;
  while (done < length) {
    const read = readSync(fd, buffer, done, length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
