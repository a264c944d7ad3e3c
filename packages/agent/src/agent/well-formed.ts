/** Text without halves of surrogate pairs: services refuse them, and UTF-8 cannot hold them. */

/**
 * The value with every lone surrogate in its strings (keys included) replaced by U+FFFD. Returns the very same object when
 * there was none, so that byte-exact provider items stay untouched.
 */
export function wellFormed<Value>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? cleanArray(value) : cleanObject(value);
}

function cleanArray(items: unknown[]): unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const cleaned = clean(items[i]);
    if (cleaned === items[i]) continue;
    copy ??= items.slice();
    copy[i] = cleaned;
  }
  return copy ?? items;
}

function cleanObject(object: object): object {
  const entries: [string, unknown][] = [];
  let changed = false;
  for (const [key, item] of Object.entries(object)) {
    const cleanKey = key.isWellFormed() ? key : key.toWellFormed();
    const cleanItem = clean(item);
    changed ||= cleanKey !== key || cleanItem !== item;
    entries.push([cleanKey, cleanItem]);
  }
  // fromEntries defines properties, so a key named __proto__ stays a plain key.
  return changed ? Object.fromEntries(entries) : object;
}

/** Holds back the first half of a surrogate pair until its second half arrives with the next delta. */
export class WholeCharacters {
  #half = "";

  /** What can be shown now of `delta` and what waited before it. */
  push(delta: string): string {
    const text = this.#half + delta;
    const last = text.charCodeAt(text.length - 1);
    const split = last >= 0xd800 && last <= 0xdbff;
    this.#half = split ? text.slice(-1) : "";
    const whole = split ? text.slice(0, -1) : text;
    return whole.isWellFormed() ? whole : whole.toWellFormed();
  }

  /** A half that nothing completed, as U+FFFD. */
  rest(): string {
    const half = this.#half;
    this.#half = "";
    return half.toWellFormed();
  }
}
