import { decodeUtf8 } from "../../../platform/utf8.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A file name or line as text: UTF-8, or with `\xNN` for each byte that is none. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    // Not all UTF-8: the same text that ls and read show.
    return decodeUtf8(bytes).text;
  }
}
