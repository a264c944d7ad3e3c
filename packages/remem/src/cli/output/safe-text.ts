/**
 * What a terminal would obey or a reader would not see: controls but tab and line feed, characters that turn the direction of text, and
 * invisible ones, but for those that join letters in many scripts.
 */
const UNSAFE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--[\t\n\u200C\u200D]]/gv;

/** Text that was written by others, made safe for a terminal: what a terminal would obey is shown as its code. */
export function safeText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, shownCode);
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text.replace(/[\r\n\t\u2028\u2029]+/g, " ")).trimEnd();
}

/** JSON in ASCII where it matters: what `JSON.stringify` leaves as it is and a terminal would obey is written as `\u….` */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

function shownCode(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
}
