/** Characters that a person cannot see but a model reads: made visible in text that was pasted. */
import { DRAWN_FORMATS, JOINING_SCRIPTS } from "../../../platform/hidden-characters.ts";

const DRAWN = new RegExp(`[${DRAWN_FORMATS}]`, "u");
const CANDIDATES =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u115f\u1160\u17b4\u17b5\u2028\u2029\u3164\uffa0]|\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|\p{Cf}/u;
const EVERY_CANDIDATE = new RegExp(`(?:${CANDIDATES.source})`, "gu");

const JOINING_SCRIPT = new RegExp(`[${JOINING_SCRIPTS}]`, "u");
const JOINER = /[\u200c\u200d]/;
const EMOJI_END = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const EMOJI_START = /^\p{Extended_Pictographic}/u;
const TAKES_EMOJI_STYLE = /[\p{Emoji}\p{Extended_Pictographic}]$/u;
/** The flags of England, Scotland and Wales: a black flag, a region in tag characters, and a cancel tag. */
const TAG_FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;

export interface ShownText {
  text: string;
  /** How many characters were made visible. */
  hidden: number;
  /** Their code points, the most frequent first: "U+200B". */
  kinds: readonly string[];
}

/**
 * Writes each hidden character as `\u{200B}` (a control character as `\x07`): zero-width and bidirectional controls, tags, stray
 * variation selectors, invisible letters. Joiners and selectors stay where they shape what is seen: inside of emoji, and in scripts that
 * join. Newline and tab stay. Lone surrogates become U+FFFD.
 */
export function showHiddenCharacters(text: string): ShownText {
  const whole = text.toWellFormed();
  if (!CANDIDATES.test(whole)) return { text: whole, hidden: 0, kinds: [] };
  const flags = [...whole.matchAll(TAG_FLAG)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  const inFlag = (at: number) => flags.some(([start, end]) => at >= start && at < end);
  const counts = new Map<string, number>();
  const shown = whole.replace(EVERY_CANDIDATE, (character, at: number) => {
    if (DRAWN.test(character) || inFlag(at) || shapes(character, whole, at)) return character;
    const point = character.codePointAt(0)!.toString(16).toUpperCase();
    const kind = `U+${point.padStart(4, "0")}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return point.length <= 2 ? `\\x${point.toLowerCase().padStart(2, "0")}` : `\\u{${point}}`;
  });
  let hidden = 0;
  for (const count of counts.values()) hidden += count;
  return { text: shown, hidden, kinds: [...counts].sort((a, b) => b[1] - a[1]).map(([kind]) => kind) };
}

/** Whether the character changes how its neighbours look, so that it is seen in its effect. */
function shapes(character: string, text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + character.length, at + character.length + 2);
  switch (character) {
    case "\u200d":
      return (EMOJI_END.test(before) && EMOJI_START.test(after)) || joins(before, after);
    case "\u200c":
      return joins(before, after);
    case "\ufe0e":
    case "\ufe0f":
      return TAKES_EMOJI_STYLE.test(before);
    default:
      // Ideographs choose their form with one selector.
      return /^[\u{e0100}-\u{e01ef}]$/u.test(character) && /\p{Script=Han}$/u.test(before);
  }
}

/** A single joiner beside a letter of a script that needs it; it may end a word, or lie between a foreign word and its ending. */
function joins(before: string, after: string): boolean {
  const last = [...before].pop() ?? "";
  const first = [...after][0] ?? "";
  if (JOINER.test(last) || JOINER.test(first)) return false;
  return JOINING_SCRIPT.test(last) || JOINING_SCRIPT.test(first);
}
