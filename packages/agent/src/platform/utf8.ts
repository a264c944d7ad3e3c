/** UTF-8 at the level of bytes: files hold bytes that are none, and they must be shown as what they are. */

/** Bytes of the well-formed UTF-8 character at `at` (1 to 4; Unicode 16, table 3-7), 0 when there is none. */
export function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return at < bytes.length ? 1 : 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  if (first < 0xe0) return 2;
  if (((bytes[at + 2] ?? 0) & 0xc0) !== 0x80) return 0;
  if (first < 0xf0) return 3;
  return ((bytes[at + 3] ?? 0) & 0xc0) === 0x80 ? 4 : 0;
}

/** Bytes as text. */
export interface Decoded {
  text: string;
  /** How many bytes were no UTF-8. */
  invalid: number;
}

/** Runs of one byte longer than this are shown as one byte and a count. */
const LONG_RUN = 16;

/**
 * Decodes UTF-8. Bytes that are none show as `\xE9`, NUL as `\x00`: never a replacement character, which would hide what is
 * there. A byte order mark is not removed.
 */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  if (bytes.indexOf(0) === -1) {
    try {
      return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), invalid: 0 };
    } catch {
      // Not all UTF-8: byte by byte below.
    }
  }
  return decodeWithEscapes(bytes);
}

function decodeWithEscapes(bytes: Uint8Array): Decoded {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pieces: string[] = [];
  let good = 0;
  let invalid = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = bytes[at] === 0 ? 0 : characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > good) pieces.push(decoder.decode(bytes.subarray(good, at)));
    const byte = bytes[at] ?? 0;
    let end = at + 1;
    if (byte === 0) while (bytes[end] === 0) end++;
    else invalid++;
    pieces.push(escapeRun(byte, end - at));
    at = end;
    good = at;
  }
  if (at > good) pieces.push(decoder.decode(bytes.subarray(good, at)));
  return { text: pieces.join(""), invalid };
}

function escapeRun(byte: number, times: number): string {
  const shown = `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return times > LONG_RUN ? `${shown}[repeated ${times} times]` : shown.repeat(times);
}

/** Like {@link decodeUtf8}, of the longest prefix that is safely within `maxBytes` bytes of text; `used` counts its raw bytes. */
export function decodeWithin(bytes: Uint8Array, maxBytes: number): Decoded & { used: number } {
  const whole = decodeUtf8(bytes);
  if (Buffer.byteLength(whole.text) <= maxBytes) return { ...whole, used: bytes.length };
  const part = decodePrefix(bytes, maxBytes);
  // An escape takes four bytes of text for one.
  return Buffer.byteLength(part.text) <= maxBytes ? part : decodePrefix(bytes, maxBytes >> 2);
}

function decodePrefix(bytes: Uint8Array, limit: number): Decoded & { used: number } {
  let used = Math.min(limit, bytes.length);
  while (used > 0 && limit - used < 3 && ((bytes[used] ?? 0) & 0xc0) === 0x80) used--;
  return { ...decodeUtf8(bytes.subarray(0, used)), used };
}

/** The bytes of a file name as {@link decodeUtf8} shows it (`caf\xE9`, in either case); null when it has no such escape. */
export function bytesOfShownName(shown: string): Buffer | null {
  const pieces = shown.split(/\\x([89a-f][0-9a-f])/i);
  if (pieces.length === 1) return null;
  return Buffer.concat(pieces.map((piece, index) => Buffer.from(piece, index % 2 === 0 ? "utf8" : "hex")));
}
