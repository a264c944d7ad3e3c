import { randomBytes } from "node:crypto";

/** A short id that is unique in a session: 12 letters and digits (62 bits), fit for every provider's call ids. */
export function newId(): string {
  const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
  let id = "";
  for (const byte of randomBytes(12)) id += alphabet[byte % 36];
  return id;
}
