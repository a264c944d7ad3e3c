/** The text of UTF-16 bytes without their byte order mark. Half surrogate pairs and an odd last byte are kept as they are. */
export function decodeUtf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): string {
  const copy = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  if (encoding === "utf-16be") copy.swap16();
  return copy.toString("utf16le");
}

/** The inverse of {@link decodeUtf16}. */
export function encodeUtf16(text: string, encoding: "utf-16le" | "utf-16be"): Uint8Array {
  const bytes = Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") bytes.swap16();
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Makes any string fit for a request: half surrogate pairs show as `\uD83D`. */
export function escapeHalves(text: string): string {
  if (text.isWellFormed()) return text;
  return text.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (half) => `\\u${half.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
