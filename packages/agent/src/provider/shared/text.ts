/**
 * Well-formed text at both edges of a provider. A half surrogate pair makes services refuse the whole request, in every
 * later turn again; models send such halves (`\ud83d` alone), and cutting text makes them.
 */
import type { Json, JsonObject } from "../../contract/json.ts";

/** The text with lone surrogates replaced by U+FFFD; the same string when it was well-formed. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** How JSON spells half of a pair (and a backslash before such a spelling, which the walk then finds to be whole). */
const HALF = /\\ud[89a-f]/;

/** A deep copy with every key and string well-formed; the value itself where nothing had to change. */
export function wellFormedJson<Value extends Json>(value: Value): Value {
  // The runtime writes JSON faster than we walk through it, and nearly nothing needs the walk.
  return HALF.test(JSON.stringify(value)) ? (walked(value) as Value) : value;
}

function walked(value: Json): Json {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => walked(item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const entry: [string, Json] = [wellFormed(key), walked(item)];
    changed ||= entry[0] !== key || entry[1] !== item;
    return entry;
  });
  return changed ? (Object.fromEntries(entries) as JsonObject) : value;
}

/**
 * Joins streamed text. What `push` returns may be shown at once: half of a surrogate pair is held back until the other
 * half comes, so that the shown deltas joined are exactly `text` after `finish`.
 */
export class StreamedText {
  text = "";
  #held = "";

  /** Takes a delta and gives the part that can be shown (perhaps nothing). */
  push(delta: string): string {
    let ready = this.#held + delta;
    this.#held = "";
    const last = ready.charCodeAt(ready.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#held = ready.slice(-1);
      ready = ready.slice(0, -1);
    }
    ready = wellFormed(ready);
    this.text += ready;
    return ready;
  }

  /** Ends the text; gives what was still held back, as U+FFFD. */
  finish(): string {
    const rest = wellFormed(this.#held);
    this.#held = "";
    this.text += rest;
    return rest;
  }
}
