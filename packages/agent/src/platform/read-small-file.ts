import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** More than any state file of ours holds; a larger one was not written by us. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The text of a small file, byte order mark removed. Never waits and never fills memory, whatever stands in the file's place: a FIFO,
 * a device, a folder and a file of more than `maxBytes` are errors. Throws an Error with the system's code, as readFileSync does.
 */
export function readSmallFile(path: string, maxBytes: number = MOST_BYTES): string {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    if (stat.isDirectory()) throw refusal("EISDIR", "it is a folder");
    if (!stat.isFile()) throw refusal("EINVAL", "it is not a file");
    if (stat.size > maxBytes) throw refusal("EFBIG", `it is too large (${stat.size} bytes)`);
    const bytes = Buffer.alloc(stat.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(fd, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return new TextDecoder().decode(bytes.subarray(0, length));
  } finally {
    closeSync(fd);
  }
}

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
