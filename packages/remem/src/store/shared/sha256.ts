/** The SHA-256 of a text, in hexadecimal; with a key, its HMAC. */
export function sha256(text: string, key?: Uint8Array): string {
  // Bun's own costs nothing to load, `node:crypto` costs 7 ms of a start.
  if (process.versions["bun"] !== undefined)
    return new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
  const { createHash, createHmac } = process.getBuiltinModule("node:crypto");
  const hash = key === undefined ? createHash("sha256") : createHmac("sha256", key);
  return hash.update(text).digest("hex");
}

/** Bytes by chance, for keys and ids. */
export function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
