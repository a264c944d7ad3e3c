import { type CharacterClass, characterClass } from "./character-class.ts";
import { Property, propertiesOf } from "./character-properties.ts";
import { selectorMessage, tagMessage, tagText } from "./hidden-message.ts";
import { critical, info, type Verdict, warning } from "./verdict.ts";

/** Hidden characters with nothing visible between them, and the visible characters around (NO_CHARACTER at an edge). */
export interface HiddenRun {
  codePoints: readonly number[];
  before: number;
  after: number;
}

/** So many invisible characters in a row are no slip of the keyboard. */
export const MESSAGE_LENGTH = 8;

const EMOJI_FORM = info("chooses the form of the emoji or symbol before it");
const IDEOGRAPH_FORM = info("chooses the form of the ideograph before it");
const SYMBOL_FORM = info("chooses the form of the symbol before it");
const EMOJI_JOINER = info("joins two emoji into one");
const SCRIPT_JOINER = info("is part of the spelling of this script");
const WORD_BREAK = info("marks a word boundary in a script without spaces");
const FLAG = info("spells the region of a flag");

const BETWEEN: Readonly<Partial<Record<CharacterClass, [property: number, verdict: Verdict]>>> = {
  "hangul-filler": [Property.jamo, info("takes the place of a missing jamo")],
  "khmer-vowel": [Property.khmer, info("is a letter of old Khmer texts")],
  "mongolian-selector": [Property.mongolian, info("chooses the form of the Mongolian letter before it")],
  "mongolian-separator": [Property.mongolian, info("separates a vowel in Mongolian")],
  "grapheme-joiner": [Property.hebrew, info("keeps the marks of Hebrew letters in order")],
  "shorthand-control": [Property.shorthand, info("places the shorthand letters around it")],
  "musical-control": [Property.musical, info("groups the musical symbols around it")],
};

const MISPLACED: Readonly<Partial<Record<CharacterClass, Verdict>>> = {
  "soft-hyphen": warning("is invisible and splits a word for search and for the model"),
  "grapheme-joiner": warning("is invisible and has no effect here"),
  "hangul-filler": warning("is blank and no space: it can pass for nothing in names and code"),
  "blank-letter": warning("is blank and counts as a letter: it can be a name that nobody sees"),
  "khmer-vowel": warning("is invisible; Unicode advises against it"),
  "mongolian-selector": warning("is invisible; it has a meaning in Mongolian only"),
  "mongolian-separator": warning("is invisible; it has a meaning in Mongolian only"),
  "zero-width-space": critical("is invisible and splits a word for search and for the model"),
  "non-joiner": critical("is invisible; there is nothing here that it could keep apart"),
  joiner: critical("is invisible; there is nothing here that it could join"),
  "invisible-operator": warning("is invisible"),
  unassigned: warning("is invisible and reserved: no text has a use for it"),
  "deprecated-format": warning("is invisible; Unicode advises against it"),
  "variation-selector": warning("is invisible; the character before it has no forms to choose from"),
  "byte-order-mark": warning("is invisible; it has a meaning at the start of a file only"),
  annotation: warning("begins or ends an annotation that most programs do not show"),
  "shorthand-control": warning("is invisible; it has a meaning in shorthand only"),
  "musical-control": warning("is invisible; it has a meaning among musical symbols only"),
};
const RESERVED_TAG = critical("is invisible and reserved, in the block of the tag characters");
const STRAY_SELECTOR = critical(
  "is invisible: a way to hide a byte; the character before it has no such form",
);
const DOUBLED_JOINER = warning("is invisible and has no effect: a single one is enough");
const LOOSE_JOINER = warning("is left over of an emoji: there is none to join");
const LONE_TAG = critical("is invisible: a letter out of sight, and no part of a flag");

/** The three flags whose tag sequences Unicode recommends: England, Scotland, Wales. */
const FLAG_REGIONS: ReadonlySet<string> = new Set(["gbeng", "gbsct", "gbwls"]);
const BLACK_FLAG = 0x1f3f4;
const CANCEL_TAG = 0xe007f;

/** One verdict for each character of a run of several. */
export function judgeRun(run: HiddenRun): readonly Verdict[] {
  return properRun(run) ?? crowdedRun(run);
}

/** The verdict of a hidden character between visible ones. */
export function judgeLone(point: number, before: number, after: number): Verdict {
  return (
    selectorForm(point, before) ??
    joinerUse(point, before, after) ??
    between(point, before, after) ??
    misplaced(point, before, after)
  );
}

/** The verdicts of a run that is written as its script or emoji is: a form and then a joiner, or a flag. Null: it is not. */
function properRun({ codePoints, before, after }: HiddenRun): Verdict[] | null {
  if (before === BLACK_FLAG && isFlag(codePoints)) return codePoints.map(() => FLAG);
  if (codePoints.length !== 2) return null;
  const [first, second] = [codePoints[0]!, codePoints[1]!];
  const form = selectorForm(first, before) ?? between(first, before, after);
  const use = form && (joinerUse(second, before, after) ?? between(second, before, after));
  return form && use ? [form, use] : null;
}

function crowdedRun({ codePoints, before, after }: HiddenRun): readonly Verdict[] {
  if (codePoints.length >= MESSAGE_LENGTH) {
    const verdict = messageVerdict(codePoints);
    return codePoints.map(() => verdict);
  }
  const tags = tagVerdict(codePoints);
  const selectors = codePoints.filter((point) => characterClass(point) === "variation-selector").length;
  const selector = selectors > 1 ? selectorVerdict(codePoints) : null;
  return codePoints.map((point, index) => {
    const name = characterClass(point);
    if (name === "tag") return tags;
    if (name === "variation-selector")
      return selector ?? ((index === 0 && selectorForm(point, before)) || misplaced(point, before, after));
    return misplaced(point, before, after);
  });
}

function misplaced(point: number, before: number, after: number): Verdict {
  const name = characterClass(point);
  if (name === "tag") return LONE_TAG;
  if (name === "unassigned" && point > 0xffff) return RESERVED_TAG;
  if (name === "variation-selector" && point > 0xffff) return STRAY_SELECTOR;
  if (name === "joiner" || name === "non-joiner") {
    if ((propertiesOf(before) | propertiesOf(after)) & Property.joins) return DOUBLED_JOINER;
    if (name === "joiner" && propertiesOf(before) & EMOJI_PART) return LOOSE_JOINER;
  }
  return MISPLACED[name]!;
}

function isFlag(codePoints: readonly number[]): boolean {
  return (
    codePoints.length === 6 &&
    codePoints[5] === CANCEL_TAG &&
    FLAG_REGIONS.has(tagText(codePoints.slice(0, 5)))
  );
}

function selectorForm(point: number, base: number): Verdict | null {
  const properties = propertiesOf(base);
  if (point === 0xfe0e || point === 0xfe0f) return properties & Property.emoji ? EMOJI_FORM : null;
  if (point >= 0xfe00 && point <= 0xfe06) return properties & Property.standardised ? SYMBOL_FORM : null;
  // The registered forms end here; above, a selector after an ideograph is a byte of something else.
  if (point >= 0xe0100 && point <= 0xe011f) return properties & Property.ideograph ? IDEOGRAPH_FORM : null;
  return null;
}

const EMOJI_PART = Property.pictograph | Property.skinTone;

function joinerUse(point: number, before: number, after: number): Verdict | null {
  const name = characterClass(point);
  if (name !== "joiner" && name !== "non-joiner" && name !== "zero-width-space") return null;
  const left = propertiesOf(before);
  const right = propertiesOf(after);
  if (name === "zero-width-space") return (left | right) & Property.spaces ? WORD_BREAK : null;
  if (name === "joiner" && left & EMOJI_PART && right & Property.pictograph) return EMOJI_JOINER;
  // One side is enough: a joiner may end a word (Malayalam), or lie between a foreign word and its ending (Persian).
  return (left | right) & Property.joins ? SCRIPT_JOINER : null;
}

function between(point: number, before: number, after: number): Verdict | null {
  const use = BETWEEN[characterClass(point)];
  return use && (propertiesOf(before) | propertiesOf(after)) & use[0] ? use[1] : null;
}

function messageVerdict(codePoints: readonly number[]): Verdict {
  const classes = new Set(codePoints.map(characterClass));
  if (classes.has("tag")) return tagVerdict(codePoints);
  if (classes.has("variation-selector")) return selectorVerdict(codePoints);
  return critical(`${codePoints.length} invisible characters in a row: enough to carry a hidden message`);
}

function tagVerdict(codePoints: readonly number[]): Verdict {
  const text = tagMessage(codePoints);
  return text === null ? LONE_TAG : critical(`hidden text in tag characters: ${text}`);
}

function selectorVerdict(codePoints: readonly number[]): Verdict {
  const text = selectorMessage(codePoints);
  return critical(
    text === null
      ? "several variation selectors in a row: a way to hide bytes"
      : `hidden text in variation selectors: ${text}`,
  );
}
