import { randomWord } from "./random.ts";

/** A short id that is unique in a session: 12 letters and digits (62 bits), fit for every provider's call ids. */
export function newId(): string {
  return randomWord(12);
}
