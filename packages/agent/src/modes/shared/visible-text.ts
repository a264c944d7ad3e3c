const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of a model or a file made safe for a terminal: control characters other than newline and tab are shown, not obeyed. */
export function visibleText(text: string): string {
  return text.replace(CONTROL, (character) =>
    character === "\r" ? "" : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/[\r\n\t\u2028\u2029]+/g, " ")).trim();
}
