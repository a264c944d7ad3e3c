/** What a bracketed paste holds, made fit for the editor. */
import { stripTerminalSequences } from "@earendil-works/pi-tui";
import { type ShownText, showHiddenCharacters } from "./hidden-characters.ts";

/** Some terminals (popups of tmux) write control bytes of a paste as keys: `ESC [ 106 ; 5 u` is Ctrl+J, a newline. */
const CONTROL_KEY = /\x1b\[(\d{1,3});5u/g;

/**
 * Line ends become LF, colours and other terminal sequences go (a copied log is wanted as text), tabs stay, and hidden characters are
 * written out, so that what is seen is what is sent.
 */
export function cleanPaste(pasted: string): ShownText {
  const decoded = pasted.replace(CONTROL_KEY, (sequence, code: string) => {
    const letter = Number(code) | 0x20;
    return letter >= 97 && letter <= 122 ? String.fromCharCode(letter - 96) : sequence;
  });
  return showHiddenCharacters(stripTerminalSequences(decoded.replace(/\r\n?/g, "\n")));
}

const MOST_LINES = 10;
const MOST_CHARACTERS = 1000;

/** What stands in the editor for a long paste, or null for one that is short enough to be shown. */
export function foldedPaste(id: number, text: string): string | null {
  const lines = text.split("\n").length;
  if (lines > MOST_LINES) return `[paste #${id} +${lines} lines]`;
  return text.length > MOST_CHARACTERS ? `[paste #${id} ${text.length} chars]` : null;
}
