import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { systemCode } from "../contract/errors.ts";
import { readFully } from "./read-fully.ts";

/** The start of a text file, read once. */
export interface ContextText {
  /** Real path. */
  path: string;
  /** Equal for two names of one file. */
  identity: string;
  /** Bytes of the whole file, a byte order mark not counted. */
  size: number;
  text: string;
  /** At most `bytes` of the text, whole lines where there are any, never half a character. */
  upTo(bytes: number): string;
}

export const NOT_THERE = null;

/**
 * Reads at most `mostBytes` of a text file. A string says why it cannot be used: it is no text, or a link that leads out of
 * `top` (null: links may lead anywhere). Throws what the OS refuses.
 */
export function readContextText(
  path: string,
  top: string | null,
  mostBytes: number,
): ContextText | string | null {
  try {
    lstatSync(path);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return NOT_THERE;
    throw thrown;
  }
  let real: string;
  try {
    real = realpathSync(path);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return "it is a link to a file that does not exist";
    throw thrown;
  }
  if (top !== null && !isInside(real, top)) return `it is a link to ${real}, outside of the project`;
  // Never waits for the other end of a FIFO.
  const fd = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return "it is not a file";
    const buffer = Buffer.alloc(Math.min(stat.size, mostBytes + 3));
    const read = buffer.subarray(0, readFully(fd, buffer, 0, buffer.length));
    const mark = read[0] === 0xef && read[1] === 0xbb && read[2] === 0xbf ? 3 : 0;
    const bytes = read.subarray(mark);
    if (bytes.includes(0)) return "it holds binary data";
    const text = cutText(bytes, mostBytes, stat.size - mark);
    if (text === null) return "it is not UTF-8 text";
    return {
      path: real,
      identity: `${stat.dev}:${stat.ino}`,
      size: stat.size - mark,
      text,
      upTo: (most) =>
        Buffer.byteLength(text) <= most ? text : (cutText(Buffer.from(text), most, Infinity) ?? ""),
    };
  } finally {
    closeSync(fd);
  }
}

/** Whole when it fits, else up to the last line break, or the last whole character. Null: not UTF-8. */
function cutText(bytes: Buffer, most: number, size: number): string | null {
  if (size <= most) return isUtf8(bytes) ? bytes.toString("utf8") : null;
  let end = Math.min(most, bytes.length);
  const line = end > 0 ? bytes.lastIndexOf(10, end - 1) : -1;
  if (line >= 0) end = line + 1;
  // 10xxxxxx continues a character.
  else while (end > 0 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  const part = bytes.subarray(0, end);
  return isUtf8(part) ? part.toString("utf8") : null;
}

function isInside(path: string, top: string): boolean {
  return path === top || path.startsWith(top.endsWith(sep) ? top : top + sep);
}
