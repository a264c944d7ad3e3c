const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of a model or a file made safe for a terminal: control characters other than newline and tab are shown, not obeyed. */
export function visibleText(text: string): string {
  return text.replace(CONTROL, (character) =>
    character === "\r" ? "" : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** What turns the order of letters around, also of those that come after it. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** The same on one line, without what could reach beyond it. */
export function visibleLine(text: string): string {
  const line = visibleText(text.replace(/[\r\n\t\u2028\u2029]+/g, " ")).trim();
  return line.replace(DIRECTION, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
