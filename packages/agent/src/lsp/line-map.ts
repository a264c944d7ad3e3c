/** How the two sides count columns; agreed on at the start. */
export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** A position as the protocol has it: both 0-based, the character in units of the encoding. */
export interface WirePosition {
  line: number;
  character: number;
}

/** A text by lines, for turning positions into offsets (UTF-16 units, as strings have them) and back. */
export class LineMap {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    // CR LF, LF and CR end a line; no other character does, whatever Unicode says.
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 13 && text.charCodeAt(at + 1) === 10) continue;
      if (unit === 10 || unit === 13) this.#starts.push(at + 1);
    }
  }

  /** Lines, an empty one after the last line end included. */
  get count(): number {
    return this.#starts.length;
  }

  /** A line (0-based) without its end; empty beyond the last. */
  line(index: number): string {
    const start = this.#starts[index];
    if (start === undefined) return "";
    let end = this.#starts[index + 1] ?? this.text.length;
    while (end > start && isLineEnd(this.text.charCodeAt(end - 1))) end--;
    return this.text.slice(start, end);
  }

  /**
   * The offset of a position; null for a line that is not there. A character beyond the line's end is its end, as the protocol
   * says, and one inside of a character is that character's start.
   */
  offset({ line, character }: WirePosition, encoding: PositionEncoding): number | null {
    if (!Number.isInteger(line) || !Number.isInteger(character) || line < 0 || character < 0) return null;
    const start = this.#starts[line];
    // The position behind the last line is how servers say "to the end".
    if (start === undefined) return line === this.count && character === 0 ? this.text.length : null;
    return start + unitsIn(this.line(line), character, encoding);
  }

  /** The position of an offset. */
  position(offset: number, encoding: PositionEncoding): WirePosition {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const before = this.text.slice(this.#starts[low] ?? 0, offset);
    return { line: low, character: widthOf(before, encoding) };
  }

  /** A position as people read it: 1-based, the column counting characters. Beyond the end: the end. */
  shown(wire: WirePosition, encoding: PositionEncoding): { line: number; column: number } {
    const text = this.line(wire.line);
    const units = unitsIn(text, Math.max(0, wire.character), encoding);
    return { line: wire.line + 1, column: [...text.slice(0, units)].length + 1 };
  }

  /** The inverse of {@link shown}; the caller has checked that the place is there. */
  wire(shown: { line: number; column: number }, encoding: PositionEncoding): WirePosition {
    const before = [...this.line(shown.line - 1)].slice(0, shown.column - 1).join("");
    return { line: shown.line - 1, character: widthOf(before, encoding) };
  }
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13;
}

function widthOf(text: string, encoding: PositionEncoding): number {
  if (encoding === "utf-16") return text.length;
  return encoding === "utf-8" ? Buffer.byteLength(text) : [...text].length;
}

/** How many UTF-16 units of `text` the first `character` units of the encoding take; all of them if there are fewer. */
function unitsIn(text: string, character: number, encoding: PositionEncoding): number {
  let units = 0;
  let passed = 0;
  for (const one of text) {
    const width = widthOf(one, encoding);
    if (passed + width > character) return units;
    passed += width;
    units += one.length;
  }
  return units;
}
