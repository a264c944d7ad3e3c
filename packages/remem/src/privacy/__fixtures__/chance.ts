/** Chance that is the same in every run. */
export interface Chance {
  /** A whole number from 0 up to `below`, exclusive. */
  number(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** So many characters of an alphabet. */
  text(alphabet: string, length: number): string;
}

export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER = LOWER.toUpperCase();
export const DIGITS = "0123456789";
export const HEX = "0123456789abcdef";
export const LETTERS = UPPER + LOWER;
export const BASE62 = LETTERS + DIGITS;
export const BASE64 = `${BASE62}+/`;
export const BASE64URL = `${BASE62}-_`;

/** A generator (mulberry32) from a seed. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const number = (below: number): number => Math.floor(next() * below);
  return {
    number,
    pick: (list) => list[number(list.length)]!,
    text: (alphabet, length) => Array.from({ length }, () => alphabet[number(alphabet.length)]).join(""),
  };
}
