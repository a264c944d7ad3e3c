import { decodeUtf8 } from "../../platform/utf8.ts";
import { sniff } from "../shared/sniff.ts";
import { decodeUtf16, encodeUtf16, escapeHalves } from "../shared/utf16.ts";

/**
 * A file as a string that loses nothing. UTF-8 and unknown 8-bit text: one character a byte, so that bytes which are no
 * UTF-8 stay what they are. UTF-16: its code units.
 */
export interface TextForm {
  /** The content without its byte order mark. */
  body: string;
  /** Bytes were found that are no UTF-8; they show as `\xE9` when read. */
  legacy: boolean;
  /** An argument of the model in the form of the body. */
  fromText(text: string): string;
  /** Like `fromText`, with each `\xE9` of the argument as the byte it stands for. */
  fromEscapes(text: string): string;
  /** A piece of the body for the model to read. */
  toText(piece: string): string;
  /** A body as the bytes of the file, byte order mark included. */
  toBytes(body: string): Uint8Array;
}

/** The form of a file's bytes, or the reason why it cannot be edited as text. */
export function textForm(bytes: Uint8Array): TextForm | { problem: string } {
  const sniffed = sniff(bytes);
  if (sniffed.kind === "binary") return { problem: `is a binary file (${sniffed.type})` };
  const mark = bytes.subarray(0, sniffed.bomLength);
  const rest = bytes.subarray(sniffed.bomLength);
  if (sniffed.encoding === "utf-16le" || sniffed.encoding === "utf-16be")
    return wideForm(mark, rest, sniffed.encoding);
  return byteForm(mark, rest);
}

function byteForm(mark: Uint8Array, rest: Uint8Array): TextForm {
  const fromText = (text: string) => Buffer.from(text, "utf8").toString("latin1");
  return {
    body: Buffer.from(rest.buffer, rest.byteOffset, rest.length).toString("latin1"),
    legacy: decodeUtf8(rest).invalid > 0,
    fromText,
    fromEscapes: (text) =>
      fromText(text).replace(/\\x([0-9A-Fa-f]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    toText: (piece) => decodeUtf8(Buffer.from(piece, "latin1")).text,
    toBytes: (body) => new Uint8Array(Buffer.concat([mark, Buffer.from(body, "latin1")])),
  };
}

function wideForm(
  mark: Uint8Array,
  rest: Uint8Array,
  encoding: "utf-16le" | "utf-16be",
): TextForm | { problem: string } {
  if (rest.length % 2 !== 0)
    return { problem: `is broken ${encoding.toUpperCase()} text (an odd number of bytes)` };
  return {
    body: decodeUtf16(rest, encoding),
    legacy: false,
    fromText: (text) => text,
    fromEscapes: (text) => text,
    toText: escapeHalves,
    toBytes: (body) => new Uint8Array(Buffer.concat([mark, encodeUtf16(body, encoding)])),
  };
}
