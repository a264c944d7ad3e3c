/** Names of keys as people write them in the configuration ("Ctrl+O", "pgup", "option+enter"), and back. */
import type { KeyId } from "@earendil-works/pi-tui";

const MODIFIERS = ["ctrl", "shift", "alt", "super"] as const;
type Modifier = (typeof MODIFIERS)[number];

const MODIFIER_NAMES: Readonly<Record<string, Modifier>> = {
  ctrl: "ctrl",
  control: "ctrl",
  shift: "shift",
  alt: "alt",
  option: "alt",
  meta: "alt",
  super: "super",
  cmd: "super",
  command: "super",
  win: "super",
};

/** Spelling in lower case -> the name that the key parser knows. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "escape enter tab space backspace delete insert clear home end up down left right"
      .split(" ")
      .map((name) => [name, name]),
  ),
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index + 1}`, `f${index + 1}`])),
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  spacebar: "space",
  pageup: "pageUp",
  pagedown: "pageDown",
  pgup: "pageUp",
  pgdn: "pageDown",
  pgdown: "pageDown",
  plus: "+",
  minus: "-",
};

const SINGLE = /^[a-z0-9`\-=[\]\\;',./!@#$%^&*()_+|~{}:<>?]$/;

/** What terminals that follow the old encoding cannot tell from another key. */
const SAME_AS: Readonly<Record<string, string>> = {
  "ctrl+i": "tab",
  "ctrl+m": "enter",
  "ctrl+[": "escape",
  "ctrl+h": "backspace",
};

export type ParsedKey = { ok: true; key: KeyId } | { ok: false; problem: string };

/** Reads one key. Modifiers may stand in any order and case; the result has one spelling for each key. */
export function parseKeyName(text: string): ParsedKey {
  const words = splitWords(text.trim().toLowerCase());
  const last = words.pop() ?? "";
  const modifiers = new Set<Modifier>();
  for (const word of words) {
    const modifier = Object.hasOwn(MODIFIER_NAMES, word) ? MODIFIER_NAMES[word] : undefined;
    if (modifier === undefined)
      return { ok: false, problem: `"${word}" is no modifier (they are ${MODIFIERS.join(", ")})` };
    if (modifiers.has(modifier)) return { ok: false, problem: `"${word}" stands there twice` };
    modifiers.add(modifier);
  }
  const base = Object.hasOwn(KEY_NAMES, last) ? KEY_NAMES[last] : SINGLE.test(last) ? last : undefined;
  if (base === undefined)
    return {
      ok: false,
      problem: `"${last}" is no key (a letter, a digit, a sign, f1 to f12, escape, enter, tab, space, up, pageUp, …)`,
    };
  const ordered = MODIFIERS.filter((modifier) => modifiers.has(modifier));
  return { ok: true, key: [...ordered, base].join("+") as KeyId };
}

/** `ctrl++` is Ctrl and plus, so a plus at the end is a key and no separator. */
function splitWords(text: string): string[] {
  if (text === "+" || text.endsWith("++")) return [...text.slice(0, -2).split("+").filter(Boolean), "+"];
  return text.split("+");
}

/** The key that `key` is taken for by terminals with the old encoding, or undefined. */
export function sameInOldTerminals(key: string): string | undefined {
  return Object.hasOwn(SAME_AS, key) ? SAME_AS[key] : undefined;
}

/** Whether the key types something, so that it cannot also be a command while a prompt is written. */
export function typesText(key: string): boolean {
  const base = key.startsWith("shift+") ? key.slice("shift+".length) : key;
  return base.length === 1 || base === "space";
}

const LABELS: Readonly<Record<string, string>> = { escape: "Esc", pageUp: "PgUp", pageDown: "PgDn" };

/** The key as people read it: `ctrl+o` gives "Ctrl+O". */
export function keyLabel(key: string): string {
  return splitWords(key)
    .map((word) => LABELS[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join("+");
}
