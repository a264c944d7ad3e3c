/** Text of models, tools and files for a terminal: what would act or hide is shown as an escape, never obeyed and never dropped. */
import { DRAWN_FORMATS, JOINING_SCRIPTS } from "../../platform/hidden-characters.ts";
import { visibleText } from "./visible-text.ts";

const JOINING = `[${JOINING_SCRIPTS}]`;
const JOINER = "[\\u200c\\u200d]";

const EMOJI = "\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?";

/** Sequences in which a hidden character is part of what one sees. */
const LEGITIMATE = [
  "\\p{RGI_Emoji}",
  `${EMOJI}(?:\\u200d${EMOJI})*`,
  "[0-9#*]\\ufe0f\\u20e3?",
  "\\p{Ideographic}[\\u{e0100}-\\u{e01ef}\\ufe00-\\ufe02]",
  // A single one beside a letter of such a script is spelling; it may end a word, or lie between a foreign word and its ending.
  `(?<=${JOINING})${JOINER}(?!${JOINER})`,
  `(?<!${JOINER})${JOINER}(?=${JOINING})`,
].join("|");

/**
 * Default-ignorable code points (bidi controls, zero-width characters, tags, variation selectors, fillers), line and paragraph
 * separators, interlinear marks, deprecated format characters, and halves of characters.
 */
const HIDDEN =
  "[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Cf}\\u2028\\u2029\\p{Surrogate}\\p{Noncharacter_Code_Point}]";
const DRAWN = `[${DRAWN_FORMATS}]`;

const SUSPICIOUS = new RegExp(HIDDEN, "v");
const PARTS = new RegExp(`${LEGITIMATE}|${DRAWN}|(?<hidden>${HIDDEN})`, "gv");

/** `text` with each hidden character as `\u{202e}`; joiners and variation selectors of emoji, and of scripts that need them, stay. */
export function showHiddenCharacters(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text.replace(PARTS, (part, ...rest) => {
    const { hidden } = rest.at(-1) as { hidden?: string };
    return hidden === undefined ? part : `\\u{${hidden.codePointAt(0)!.toString(16).padStart(4, "0")}}`;
  });
}

const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * The text of anything that came from outside, safe to draw: control characters (a bare carriage return too) as `\x1b`, hidden
 * characters as `\u{202e}`. Newlines and tabs stay; CRLF becomes a newline.
 */
export function safeText(text: string): string {
  if (PLAIN.test(text)) return text;
  const lines = text.includes("\r") ? text.replace(/\r\n/g, "\n").replace(/\r/g, "\\x0d") : text;
  return showHiddenCharacters(visibleText(lines));
}

/** The same on one line: line breaks and tabs become a space. */
export function safeLine(text: string): string {
  return safeText(text.replace(/[\r\n\t]+/g, " ")).trim();
}
