import { characterLength } from "../platform/utf8.ts";

/** The code point of the well-formed character of `length` bytes at `at`. */
export function decodeAt(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at]!;
  if (length === 1) return first;
  const second = bytes[at + 1]! & 0x3f;
  if (length === 2) return ((first & 0x1f) << 6) | second;
  const third = bytes[at + 2]! & 0x3f;
  if (length === 3) return ((first & 0x0f) << 12) | (second << 6) | third;
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | (bytes[at + 3]! & 0x3f);
}

/** No character: the edge of the text, or what is no UTF-8. */
export const NO_CHARACTER = -1;

/** The code point that begins at `at`; NO_CHARACTER when none does. */
export function codePointFrom(bytes: Uint8Array, at: number): number {
  const length = characterLength(bytes, at);
  return length === 0 ? NO_CHARACTER : decodeAt(bytes, at, length);
}

/** The code point that ends before `at`; NO_CHARACTER when none does. */
export function codePointBefore(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && length <= at; length++)
    if (characterLength(bytes, at - length) === length) return decodeAt(bytes, at - length, length);
  return NO_CHARACTER;
}

/** Half of a surrogate pair as three bytes (ED A0..BF xx): no UTF-8, but what it stands for can be told. */
export function isSurrogateAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xed && (bytes[at + 1] ?? 0) >= 0xa0 && ((bytes[at + 2] ?? 0) & 0xc0) === 0x80;
}

/** The bytes of a text; halves of surrogate pairs keep their own three bytes instead of becoming U+FFFD. */
export function textBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, "utf8");
  const parts: Uint8Array[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(index + 1);
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      index++;
      continue;
    }
    parts.push(Buffer.from(text.slice(start, index), "utf8"));
    parts.push(Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)));
    start = index + 1;
  }
  parts.push(Buffer.from(text.slice(start), "utf8"));
  return Buffer.concat(parts);
}
