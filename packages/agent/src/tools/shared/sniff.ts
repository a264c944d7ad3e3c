import { characterLength } from "../../platform/utf8.ts";
import { magicType } from "./magic.ts";

export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "unknown-8-bit";

/** What the first bytes of a file say about it. */
export type Sniffed =
  | { kind: "text"; encoding: TextEncoding; bomLength: number }
  | { kind: "binary"; type: string; mimeType?: string };

/** How many first bytes {@link sniff} looks at. */
export const SNIFF_BYTES = 8192;

const NUL_AFTER_TEXT = /^[^\0]*[^\0]\0+$/;

/** Tells text from binary data by the first {@link SNIFF_BYTES} bytes. An empty file is UTF-8 text. */
export function sniff(bytes: Uint8Array): Sniffed {
  const head = bytes.subarray(0, SNIFF_BYTES);
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { kind: "text", encoding: "utf-8", bomLength: 3 };
  // Read as UTF-16 each of its characters would be two, and an edit would leave characters of half their length.
  if (isUtf32(head)) return { kind: "binary", type: "UTF-32 text, which is not supported" };
  if (head[0] === 0xff && head[1] === 0xfe) return { kind: "text", encoding: "utf-16le", bomLength: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { kind: "text", encoding: "utf-16be", bomLength: 2 };
  const magic = magicType(head);
  if (isText(head) && !(magic?.mimeType || magic?.name === "PDF document"))
    return { kind: "text", encoding: isUtf8(head) ? "utf-8" : "unknown-8-bit", bomLength: 0 };
  const wide = magic ? null : utf16WithoutMark(head);
  if (wide) return { kind: "text", encoding: wide, bomLength: 0 };
  if (magic)
    return { kind: "binary", type: magic.name, ...(magic.mimeType ? { mimeType: magic.mimeType } : {}) };
  return { kind: "binary", type: head.every((byte) => byte === 0) ? "NUL bytes only" : "unknown type" };
}

function isUtf32(head: Uint8Array): boolean {
  if (head.length % 4 !== 0 && head.length < SNIFF_BYTES) return false;
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0;
  return first === 0 && second === 0 && third === 0xfe && fourth === 0xff;
}

function isText(head: Uint8Array): boolean {
  const nul = head.indexOf(0);
  // A log on a sparse or preallocated file: lines, then nothing but NUL.
  if (nul !== -1 && !NUL_AFTER_TEXT.test(Buffer.from(head).toString("latin1"))) return false;
  const text = nul === -1 ? head : head.subarray(0, nul);
  let controls = 0;
  for (const byte of text) if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls++;
  return controls * 20 <= text.length;
}

/** True when all of it is UTF-8 but for a character cut off at the end. */
function isUtf8(head: Uint8Array): boolean {
  for (let at = 0; at < head.length; ) {
    const length = characterLength(head, at);
    if (length === 0) return head.length === SNIFF_BYTES && head.length - at < 4;
    at += length;
  }
  return true;
}

/** Latin text as UTF-16 has a NUL in every second byte. */
function utf16WithoutMark(head: Uint8Array): "utf-16le" | "utf-16be" | null {
  const pairs = head.length >> 1;
  if (pairs < 4 || head.length % 2 !== 0) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at + 1 < head.length; at += 2) {
    if (head[at] === 0) even++;
    if (head[at + 1] === 0) odd++;
  }
  if (even === 0 && odd > pairs * 0.7) return "utf-16le";
  if (odd === 0 && even > pairs * 0.7) return "utf-16be";
  return null;
}
