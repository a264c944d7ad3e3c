/** What a terminal's keyboard depends on. */
export interface KeyboardState {
  kittyKeyboard: number;
  modifyOtherKeys: number;
  applicationCursorKeys: boolean;
}

/** Keys that make no text: how they are written. */
type Functional = { letter: string } | { number: number };

const FUNCTIONAL: Readonly<Record<string, Functional>> = {
  up: { letter: "A" },
  down: { letter: "B" },
  right: { letter: "C" },
  left: { letter: "D" },
  home: { letter: "H" },
  end: { letter: "F" },
  insert: { number: 2 },
  delete: { number: 3 },
  pageUp: { number: 5 },
  pageDown: { number: 6 },
  f1: { letter: "P" },
  f2: { letter: "Q" },
  f3: { letter: "R" },
  f4: { letter: "S" },
  f5: { number: 15 },
  f6: { number: 17 },
  f7: { number: 18 },
  f8: { number: 19 },
  f9: { number: 20 },
  f10: { number: 21 },
  f11: { number: 23 },
  f12: { number: 24 },
};

/** Keys that have a character but show none. */
const NAMED: Readonly<Record<string, number>> = { escape: 27, enter: 13, tab: 9, backspace: 127, space: 32 };

const MODIFIERS: Readonly<Record<string, number>> = { shift: 1, alt: 2, ctrl: 4, super: 8 };
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;

/** The flags of the kitty protocol. */
const DISAMBIGUATE = 1;
const EVENT_TYPES = 2;
const ALTERNATE_KEYS = 4;
const ALL_AS_ESCAPES = 8;

interface Chord {
  modifiers: number;
  key: string;
}

/**
 * The bytes of a key stroke: `escape`, `ctrl+c`, `shift+enter`, `alt+b`, `pageUp`, `f5`, `A`. Encoded as the program
 * asked the keyboard to be: kitty's protocol (with the release, if wanted), xterm's modifyOtherKeys, or neither. Throws for
 * a name that is none.
 */
export function encodeKey(name: string, keyboard: KeyboardState): string {
  const chord = parse(name);
  if (keyboard.kittyKeyboard > 0) return kitty(chord, keyboard.kittyKeyboard);
  const functional = FUNCTIONAL[chord.key];
  if (functional) return plainFunctional(chord, functional, keyboard.applicationCursorKeys);
  const code = codeOf(chord.key);
  const ordinary = chord.modifiers === 0 || (chord.modifiers === SHIFT && isText(chord.key));
  if (keyboard.modifyOtherKeys === 2 && !ordinary) return `\x1b[27;${chord.modifiers + 1};${code}~`;
  return legacy(chord);
}

function parse(name: string): Chord {
  let rest = name;
  let modifiers = 0;
  for (let match = /^(shift|alt|ctrl|super)\+(?=.)/.exec(rest); match; ) {
    modifiers |= MODIFIERS[match[1]!]!;
    rest = rest.slice(match[0].length);
    match = /^(shift|alt|ctrl|super)\+(?=.)/.exec(rest);
  }
  const known = rest in FUNCTIONAL || rest in NAMED || [...rest].length === 1;
  if (!known)
    throw new Error(
      `there is no key "${name}"; there are single characters, ${[...Object.keys(NAMED), ...Object.keys(FUNCTIONAL)].join(", ")}, each after shift+ alt+ ctrl+ super+`,
    );
  // A capital is typed with Shift, unless it is only the name of a key in "ctrl+C".
  if (/^\p{Lu}$/u.test(rest) && !(modifiers & CTRL)) modifiers |= SHIFT;
  return { modifiers, key: [...rest].length === 1 ? rest.toLowerCase() : rest };
}

function legacy({ modifiers, key }: Chord): string {
  const alt = modifiers & ALT ? "\x1b" : "";
  if (key === "tab" && modifiers & SHIFT) return `${alt}\x1b[Z`;
  if (key === "backspace" && modifiers & CTRL) return `${alt}\b`;
  const text = textOf(key, modifiers);
  return alt + (modifiers & CTRL && (isText(key) || key === "space") ? control(text) : text);
}

/** What Ctrl makes of a character; the characters that have no control code stay. */
function control(text: string): string {
  if (/^[a-z@[\\\]^_]$/i.test(text)) return String.fromCharCode(text.toUpperCase().charCodeAt(0) & 0x1f);
  const odd: Readonly<Record<string, string>> = {
    " ": "\0",
    "2": "\0",
    "/": "\x1f",
    "-": "\x1f",
    "?": "\x7f",
  };
  return odd[text] ?? text;
}

function plainFunctional({ modifiers }: Chord, key: Functional, application: boolean): string {
  if ("number" in key) return `\x1b[${key.number}${modifiers ? `;${modifiers + 1}` : ""}~`;
  if (modifiers) return `\x1b[1;${modifiers + 1}${key.letter}`;
  return application || "PQRS".includes(key.letter) ? `\x1bO${key.letter}` : `\x1b[${key.letter}`;
}

function kitty(chord: Chord, flags: number): string {
  const { key } = chord;
  const press = kittyEvent(chord, flags, "");
  const quiet = ["enter", "tab", "backspace"].includes(key) && !(flags & ALL_AS_ESCAPES);
  return flags & EVENT_TYPES && !quiet ? press + kittyEvent(chord, flags, ":3") : press;
}

/** `type`: nothing for a press, `:3` for a release. */
function kittyEvent({ key, modifiers }: Chord, flags: number, type: string): string {
  const mods = modifiers > 0 || type ? `;${modifiers + 1}${type}` : "";
  const functional = FUNCTIONAL[key];
  if (functional) {
    // R is taken by the cursor report.
    if (key === "f3") return `\x1b[13${mods}~`;
    if ("number" in functional) return `\x1b[${functional.number}${mods}~`;
    return mods ? `\x1b[1${mods}${functional.letter}` : `\x1b[${functional.letter}`;
  }
  const textual = isText(key) || key === "space";
  const everything = flags & ALL_AS_ESCAPES;
  if (!type && !everything) {
    if (textual && !(modifiers & ~SHIFT)) return textOf(key, modifiers);
    if (key !== "escape" && modifiers === 0) return textOf(key, 0);
    if (!(flags & DISAMBIGUATE)) return legacy({ key, modifiers });
  }
  const base = codeOf(key);
  const shifted = textOf(key, modifiers);
  const alternate =
    flags & ALTERNATE_KEYS && isText(key) && modifiers & SHIFT && shifted !== key
      ? `:${codeOf(shifted)}`
      : "";
  return `\x1b[${base}${alternate}${mods}u`;
}

function isText(key: string): boolean {
  return !(key in NAMED) && !(key in FUNCTIONAL);
}

function codeOf(key: string): number {
  return NAMED[key] ?? key.codePointAt(0) ?? 0;
}

function textOf(key: string, modifiers: number): string {
  const text = String.fromCodePoint(codeOf(key));
  return isText(key) && modifiers & SHIFT ? text.toUpperCase() : text;
}
