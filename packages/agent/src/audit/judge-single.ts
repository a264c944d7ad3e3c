import { critical, info, type Verdict, warning } from "./verdict.ts";

const TERMINAL = critical("begins a command to the terminal: what follows can be hidden there, or act on it");
const BACKSPACE = critical("steps back: on a terminal it hides the character before it");
const PAGE_BREAK = info("breaks the page");
const LINE_RETURN = warning(
  "goes back to the start of the line: on a terminal what follows hides what was there",
);
const NEXT_LINE = warning("is a line break to some programs and nothing to others");
const CONTROL = warning("is a control character: it is not shown");

/** C0 and C1 controls, DEL among them. */
export function judgeControl(codePoint: number): Verdict {
  switch (codePoint) {
    case 0x1b:
    case 0x90:
    case 0x98:
    case 0x9b:
    case 0x9d:
    case 0x9e:
    case 0x9f:
      return TERMINAL;
    case 0x08:
      return BACKSPACE;
    case 0x0c:
      return PAGE_BREAK;
    case 0x0d:
      return LINE_RETURN;
    case 0x85:
      return NEXT_LINE;
    default:
      return CONTROL;
  }
}

const ICON = info("has no meaning but what a font draws: an icon, or an empty box");
const ICONS = warning("has no meaning but what a font draws; so many in a row can carry a message");
const MOST_ICONS = 3;

/** `inRow` private-use characters one after the other, of which this is one. */
export function judgePrivateUse(codePoint: number, inRow: number): Verdict {
  return codePoint >= 0x100000 || inRow > MOST_ICONS ? ICONS : ICON;
}

export const BYTE_ORDER_MARK = info("marks the file as UTF-8");
export const ODD_SPACE = info("looks like a space and is none for the shell and for search");
export const BLANK_SYMBOL = info("is drawn as nothing, like a space");
export const SEPARATOR = warning("breaks the line in some programs only");
export const NONCHARACTER = warning("is reserved: no text has a use for it");
export const SURROGATE = critical(
  "is half of a character: no well-formed text has it, and programs disagree about it",
);
export const NOT_UTF8 = critical("is no UTF-8: programs disagree about what it says");
export const UTF16_MARK = critical("is the mark of UTF-16 text: models read UTF-8");
