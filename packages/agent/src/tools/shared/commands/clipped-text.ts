import { formatCount } from "../../../platform/format-count.ts";
import { byteLength, headOf, tailOf } from "../truncate.ts";

/** The beginning and the end of a text of any length, in bounded memory. */
export interface ClippedText {
  push(text: string): void;
  readonly bytes: number;
  /** The text, or its head and tail within `maxBytes` around a line that says what is missing and `where` all of it is. */
  render(maxBytes: number, where?: string): { text: string; cut: boolean };
}

/** Keeps a third of `maxBytes` from the beginning and two thirds from the end: failures are told last. */
export function clippedText(maxBytes: number): ClippedText {
  const headLimit = Math.floor(maxBytes / 3);
  const tailLimit = maxBytes - headLimit;
  let head = "";
  let headOpen = true;
  let tail = "";
  let tailBytes = 0;
  let bytes = 0;
  let lines = 0;

  function push(text: string): void {
    if (text === "") return;
    bytes += byteLength(text);
    lines += countLines(text);
    let rest = text;
    if (headOpen) {
      const room = headLimit - byteLength(head);
      const part = headOf(text, room);
      head += part;
      rest = text.slice(part.length);
      headOpen = rest === "";
    }
    if (rest === "") return;
    tail += rest;
    tailBytes += byteLength(rest);
    // Cutting at twice the limit and not at each push keeps long output cheap.
    if (tailBytes > tailLimit * 2) {
      tail = tailOf(tail, tailLimit);
      tailBytes = byteLength(tail);
    }
  }

  function render(limit: number, where?: string): { text: string; cut: boolean } {
    if (bytes <= Math.min(limit, maxBytes)) return { text: head + tail, cut: false };
    const headPart = wholeLinesFirst(headOf(head, Math.floor(limit / 3)));
    const rest = head.slice(headPart.length) + tail;
    const tailPart = wholeLinesLast(tailOf(rest, Math.min(tailLimit, limit - Math.floor(limit / 3))));
    const missing = bytes - byteLength(headPart) - byteLength(tailPart);
    const missingLines = lines - countLines(headPart) - countLines(tailPart);
    const all = where === undefined ? "" : `; all of it: ${where}`;
    const note = `[... ${formatCount(missing)} bytes, ${formatCount(missingLines)} lines not shown${all} ...]`;
    return { text: `${headPart}${endsLine(headPart) ? "" : "\n"}${note}\n${tailPart}`, cut: true };
  }

  return {
    push,
    render,
    get bytes() {
      return bytes;
    },
  };
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function endsLine(text: string): boolean {
  return text === "" || text.endsWith("\n");
}

/** Up to the last line end, where one is near. */
function wholeLinesFirst(text: string): string {
  const end = text.lastIndexOf("\n");
  return end > text.length / 2 ? text.slice(0, end + 1) : text;
}

/** From the first line end on, where one is near. */
function wholeLinesLast(text: string): string {
  const end = text.indexOf("\n");
  return end !== -1 && end < text.length / 2 ? text.slice(end + 1) : text;
}
