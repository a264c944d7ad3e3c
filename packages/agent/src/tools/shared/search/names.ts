const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A file name or line as text: UTF-8, or with `\xNN` for the bytes that are not. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    let text = "";
    for (const byte of bytes)
      text +=
        byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
    return text;
  }
}
