/** Every character that hides, reorders or only looks like a space, by what it is. */

/** `visible` is everything else. */
export const CLASSES = [
  "visible",
  "control",
  "carriage-return",
  "soft-hyphen",
  "grapheme-joiner",
  "direction-mark",
  "direction",
  "hangul-filler",
  "blank-letter",
  "khmer-vowel",
  "mongolian-selector",
  "mongolian-separator",
  "zero-width-space",
  "non-joiner",
  "joiner",
  "separator",
  "invisible-operator",
  "unassigned",
  "deprecated-format",
  "variation-selector",
  "byte-order-mark",
  "annotation",
  "shorthand-control",
  "musical-control",
  "tag",
  "noncharacter",
  "private-use",
  "odd-space",
  "blank-symbol",
  "surrogate",
  "invalid",
] as const;

export type CharacterClass = (typeof CLASSES)[number];

const RANGES: readonly (readonly [number, number, CharacterClass])[] = [
  [0x00, 0x08, "control"],
  [0x0b, 0x0c, "control"],
  [0x0d, 0x0d, "carriage-return"],
  [0x0e, 0x1f, "control"],
  [0x7f, 0x9f, "control"],
  [0xa0, 0xa0, "odd-space"],
  [0xad, 0xad, "soft-hyphen"],
  [0x34f, 0x34f, "grapheme-joiner"],
  [0x61c, 0x61c, "direction-mark"],
  [0x115f, 0x1160, "hangul-filler"],
  [0x1680, 0x1680, "odd-space"],
  [0x17b4, 0x17b5, "khmer-vowel"],
  [0x180b, 0x180d, "mongolian-selector"],
  [0x180e, 0x180e, "mongolian-separator"],
  [0x180f, 0x180f, "mongolian-selector"],
  [0x2000, 0x200a, "odd-space"],
  [0x200b, 0x200b, "zero-width-space"],
  [0x200c, 0x200c, "non-joiner"],
  [0x200d, 0x200d, "joiner"],
  [0x200e, 0x200f, "direction-mark"],
  [0x2028, 0x2029, "separator"],
  [0x202a, 0x202e, "direction"],
  [0x202f, 0x202f, "odd-space"],
  [0x205f, 0x205f, "odd-space"],
  [0x2060, 0x2064, "invisible-operator"],
  [0x2065, 0x2065, "unassigned"],
  [0x2066, 0x2069, "direction"],
  [0x206a, 0x206f, "deprecated-format"],
  [0x2800, 0x2800, "blank-symbol"],
  [0x3164, 0x3164, "blank-letter"],
  [0xe000, 0xf8ff, "private-use"],
  [0xfdd0, 0xfdef, "noncharacter"],
  [0xfe00, 0xfe0f, "variation-selector"],
  [0xfeff, 0xfeff, "byte-order-mark"],
  [0xffa0, 0xffa0, "blank-letter"],
  [0xfff0, 0xfff8, "unassigned"],
  [0xfff9, 0xfffb, "annotation"],
  [0x1bca0, 0x1bca3, "shorthand-control"],
  [0x1d173, 0x1d17a, "musical-control"],
  [0xe0000, 0xe007f, "tag"],
  [0xe0080, 0xe00ff, "unassigned"],
  [0xe0100, 0xe01ef, "variation-selector"],
  [0xe01f0, 0xe0fff, "unassigned"],
  [0xf0000, 0x10ffff, "private-use"],
];

const PAGES: (Uint8Array | undefined)[] = new Array(0x1100).fill(undefined);
fillPages();

function fillPages(): void {
  const wholePage = new Uint8Array(256).fill(CLASSES.indexOf("private-use"));
  for (const [from, to, name] of RANGES) {
    const index = CLASSES.indexOf(name);
    for (let page = from >> 8; page <= to >> 8; page++) {
      const first = Math.max(from, page << 8);
      const last = Math.min(to, (page << 8) | 0xff);
      if (name === "private-use" && last - first === 0xff) PAGES[page] = wholePage;
      else PAGES[page] = (PAGES[page] ?? new Uint8Array(256)).fill(index, first & 0xff, (last & 0xff) + 1);
    }
  }
  for (let plane = 0; plane <= 0x10; plane++) {
    const page = (plane << 8) | 0xff;
    const own = Uint8Array.from(PAGES[page] ?? new Uint8Array(256));
    own.fill(CLASSES.indexOf("noncharacter"), 0xfe);
    PAGES[page] = own;
  }
}

/** The class of a code point, and `invalid` for NO_CHARACTER. */
export function characterClass(codePoint: number): CharacterClass {
  if (codePoint < 0) return "invalid";
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return "surrogate";
  return CLASSES[PAGES[codePoint >> 8]?.[codePoint & 0xff] ?? 0]!;
}

/** The same as a bare question, for the inner loop. */
export function isVisible(codePoint: number): boolean {
  const page = PAGES[codePoint >> 8];
  return page === undefined || page[codePoint & 0xff] === 0;
}

/** Classes that take no room, or are drawn as nothing: several in a row can carry a message. */
const RUN_CLASSES: ReadonlySet<CharacterClass> = new Set<CharacterClass>([
  "soft-hyphen",
  "grapheme-joiner",
  "hangul-filler",
  "blank-letter",
  "khmer-vowel",
  "mongolian-selector",
  "mongolian-separator",
  "zero-width-space",
  "non-joiner",
  "joiner",
  "invisible-operator",
  "unassigned",
  "deprecated-format",
  "variation-selector",
  "byte-order-mark",
  "annotation",
  "shorthand-control",
  "musical-control",
  "tag",
]);

export function isRunClass(name: CharacterClass): boolean {
  return RUN_CLASSES.has(name);
}
