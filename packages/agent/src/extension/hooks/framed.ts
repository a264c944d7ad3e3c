import type { HookEvent } from "./hook-entry.ts";

/** Characters of one text that a hook puts before the model. */
const MOST_TEXT = 50_000;

/** A hook's text for the model, cut at its end with a note. */
export function limited(text: string): string {
  if (text.length <= MOST_TEXT) return text;
  return `${text.slice(0, MOST_TEXT)}\n[… ${text.length - MOST_TEXT} characters of a hook left out …]`.toWellFormed();
}

/** A hook's text as a message of its own: it says where it comes from. */
export function framed(event: HookEvent, text: string): string {
  return `<hook event="${event}">\n${limited(text.trim())}\n</hook>`;
}
