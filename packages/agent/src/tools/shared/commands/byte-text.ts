/** Bytes of a program's output as text, piece by piece: characters split over pieces are whole, bytes that are no text are named. */

/** What became of a piece. */
export interface DecodedBytes {
  text: string;
  /** Bytes that were recognised as binary and not turned into text. */
  binaryBytes: number;
}

export interface ByteTextDecoder {
  push(bytes: Uint8Array): DecodedBytes;
  /** What was still waiting for the rest of a character; behind binary data the whole lines of text that it all ends with. */
  end(): { text: string; after: string };
}

/** Less than this is always shown: a few odd bytes say more than "binary". */
const BINARY_SAMPLE_MIN = 64;
const BINARY_SAMPLE_MAX = 4096;
/** Of what follows binary data, so many bytes of the end are looked at for text: what the next program of the line said. */
const LOOKED_BACK = 8_192;
/** Less may be chance. Characters. */
const LEAST_AFTER = 8;

/**
 * A decoder of UTF-8. A byte that belongs to no character becomes `\xNN` (never U+FFFD). Once a piece looks like an image,
 * an archive or a program, it and all that follows is only counted, but for the lines of text at the very end.
 */
export function byteTextDecoder(): ByteTextDecoder {
  let carried: Uint8Array = new Uint8Array(0);
  let binary = false;
  return {
    push(piece) {
      if (binary) {
        carried = Buffer.concat([carried, piece.subarray(-LOOKED_BACK)]).subarray(-LOOKED_BACK);
        return { text: "", binaryBytes: piece.length };
      }
      const bytes = carried.length === 0 ? piece : Buffer.concat([carried, piece]);
      if (looksBinary(bytes)) {
        binary = true;
        carried = bytes.slice(-LOOKED_BACK);
        return { text: "", binaryBytes: bytes.length };
      }
      const end = bytes.length - incompleteTail(bytes);
      // A copy: the piece's memory may be used again for the next one.
      carried = bytes.slice(end);
      return { text: decode(bytes.subarray(0, end)), binaryBytes: 0 };
    },
    end() {
      const rest = carried;
      carried = new Uint8Array(0);
      return binary ? { text: "", after: endingLines(rest) } : { text: decode(rest), after: "" };
    },
  };
}

/** The whole lines behind the last byte that is no text. */
function endingLines(bytes: Uint8Array): string {
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const byte = bytes[at] ?? 0;
    if (length === 0 || (byte < 0x20 && isControl(byte)) || byte === 0x7f) from = at + 1;
    at += length || 1;
  }
  const line = bytes.indexOf(10, from) + 1;
  if (line === 0) return "";
  const text = decode(bytes.subarray(line));
  return text.trim().length < LEAST_AFTER ? "" : text;
}

/** True for what is certainly no text: control bytes (a NUL in every second place, say) among bytes that are not UTF-8. */
function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, BINARY_SAMPLE_MAX);
  if (sample.length < BINARY_SAMPLE_MIN) return false;
  let controls = 0;
  for (const byte of sample) if (byte < 0x20 && isControl(byte)) controls++;
  if (controls <= sample.length * 0.02) return false;
  let undecodable = 0;
  for (let at = 0; at < sample.length; ) {
    const length = sequenceLength(sample, at);
    if (length === 0) undecodable++;
    at += length || 1;
  }
  return controls + undecodable > sample.length * 0.1;
}

/** Control bytes that terminals have no everyday use for: not BEL, BS, TAB, LF, FF, CR, ESC. */
function isControl(byte: number): boolean {
  return byte < 7 || byte === 11 || (byte > 13 && byte !== 27);
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeWithEscapes(bytes);
  }
}

function decodeWithEscapes(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += decoder.decode(bytes.subarray(from, at));
    text += `\\x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0")}`;
    at += 1;
    from = at;
  }
  return text + decoder.decode(bytes.subarray(from));
}

/** Length of the well-formed character at `at` (Unicode 15, table 3-7), or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = expectedLength(first);
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const [low, high] = secondRange(first);
  if (second < low || second > high) return 0;
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function expectedLength(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

function secondRange(first: number): [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  if (first === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

/** How many bytes at the end are the beginning of a character whose rest has not come yet. */
function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return expectedLength(byte) > back ? back : 0;
  }
  return 0;
}
