import { JOINING_SCRIPTS } from "../platform/hidden-characters.ts";

/** What a visible character is to the hidden ones beside it; a set of bits. */
export const Property = {
  /** Of a script whose spelling needs joiners. */
  joins: 1,
  /** Of a script that marks word or line breaks with U+200B. */
  spaces: 2,
  /** May begin or continue an emoji sequence. */
  pictograph: 4,
  skinTone: 8,
  /** Takes U+FE0E and U+FE0F. */
  emoji: 16,
  ideograph: 32,
  /** Takes one of the first variation selectors for a form that Unicode defines (mathematics, Myanmar, full-width punctuation). */
  standardised: 64,
  mongolian: 128,
  jamo: 256,
  khmer: 512,
  /** Hebrew, where U+034F keeps marks apart. */
  hebrew: 1024,
  shorthand: 2048,
  musical: 4096,
  braille: 8192,
  /** ASCII letters and digits. */
  plain: 16_384,
} as const;

/** Nothing before the Hebrew block belongs to a script that needs joiners or marked word breaks. */
const FIRST_JOINING = 0x590;
const WRITES = /[\p{L}\p{M}\p{N}]/u;

let expressions: [number, RegExp][] | undefined;
const known = new Map<number, number>();

/** The properties of a code point; 0 for none and for NO_CHARACTER. */
export function propertiesOf(codePoint: number): number {
  if (codePoint < 0) return 0;
  let bits = known.get(codePoint);
  if (bits === undefined) {
    expressions ??= compile();
    bits = 0;
    const character = String.fromCodePoint(codePoint);
    for (const [bit, expression] of expressions) if (expression.test(character)) bits |= bit;
    // Punctuation and accents that many scripts share do not make a text one of theirs.
    if (codePoint < FIRST_JOINING || !WRITES.test(character)) bits &= ~(Property.joins | Property.spaces);
    known.set(codePoint, bits);
  }
  return bits;
}

/** Compiled at the first hidden character: most texts have none. */
function compile(): [number, RegExp][] {
  const scripts = (names: string) =>
    names
      .split(" ")
      .map((name) => `\\p{Script_Extensions=${name}}`)
      .join("");
  const classes: [number, string][] = [
    [Property.joins, JOINING_SCRIPTS],
    [
      Property.spaces,
      scripts(
        "Thai Lao Khmer Myanmar Tibetan Tai_Le New_Tai_Lue Tai_Tham Tai_Viet Javanese Balinese Sundanese Cham",
      ),
    ],
    [Property.pictograph, "\\p{Extended_Pictographic}"],
    [Property.skinTone, "\\p{Emoji_Modifier}"],
    [Property.emoji, "\\p{Emoji}"],
    [Property.ideograph, "\\p{Ideographic}\\p{Script=Han}"],
    [
      Property.standardised,
      `\\u2200-\\u22ff\\u2a00-\\u2aff\\p{Ideographic}${scripts("Myanmar Phags_Pa Manichaean Egyptian_Hieroglyphs")}0\\u3001\\u3002\\uff01\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f`,
    ],
    [Property.mongolian, scripts("Mongolian")],
    [Property.jamo, "\\u1100-\\u11ff\\ua960-\\ua97f\\ud7b0-\\ud7ff"],
    [Property.khmer, scripts("Khmer")],
    [Property.hebrew, scripts("Hebrew")],
    [Property.shorthand, scripts("Duployan")],
    [Property.musical, "\\u{1d100}-\\u{1d1ff}"],
    [Property.braille, "\\u2801-\\u28ff"],
    [Property.plain, "0-9A-Za-z"],
  ];
  return classes.map(([bit, inside]) => [bit, new RegExp(`[${inside}]`, "u")]);
}
