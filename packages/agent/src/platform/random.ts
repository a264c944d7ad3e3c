/** Randomness by the Web API: loading node:crypto costs a start of pi as much as a third of a whole run of `node -e 0`. */

/** `length` bytes by chance, as twice as many hexadecimal digits. */
export function randomHex(length: number): string {
  return crypto.getRandomValues(new Uint8Array(length)).toHex();
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** `length` lower-case letters and digits by chance (5.2 bits each). */
export function randomWord(length: number): string {
  let word = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(length))) word += ALPHABET[byte % 36];
  return word;
}
