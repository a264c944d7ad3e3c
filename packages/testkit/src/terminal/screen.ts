import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { type IBufferLine, Terminal } from "@xterm/headless";
import { type Cell, cellAt, runsOf, type StyledRun } from "./cell.ts";
import type { Position } from "./mouse.ts";

const SCROLLBACK = 20_000;

/** What can be looked at: the screen of a program, or one that is written to directly. */
export interface ShownScreen {
  readonly size: { cols: number; rows: number };
  /** Its rows as text, trailing blanks trimmed. */
  screen(): string[];
  /** Row and column from 0. */
  cell(row: number, column: number): Cell;
  /** Per row its runs of one style. */
  styles(): StyledRun[][];
  /** Row and column from 0. */
  cursor(): Position;
}

/** An emulated terminal screen: what a program wrote, as cells. Widths by grapheme (Unicode 15), as modern terminals have them. */
export class Screen implements ShownScreen {
  readonly emulator: Terminal;

  constructor(cols: number, rows: number) {
    this.emulator = new Terminal({
      cols,
      rows,
      scrollback: SCROLLBACK,
      allowProposedApi: true,
      // What it does and answers beyond the plain; the emulator's default is to refuse.
      windowOptions: {
        pushTitle: true,
        popTitle: true,
        getWinSizePixels: true,
        getCellSizePixels: true,
        getWinSizeChars: true,
      },
    });
    this.emulator.loadAddon(new UnicodeGraphemesAddon());
    this.emulator.unicode.activeVersion = "15-graphemes";
  }

  get size(): { cols: number; rows: number } {
    return { cols: this.emulator.cols, rows: this.emulator.rows };
  }

  /** Writes to it as a program would; resolves when it is shown. */
  write(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.emulator.write(data, resolve));
  }

  screen(): string[] {
    return this.#shown().map(trimmed);
  }

  /** The rows above the shown ones, oldest first; none on the alternate screen. */
  scrollback(): string[] {
    const { active } = this.emulator.buffer;
    return Array.from({ length: active.baseY }, (_, row) => trimmed(active.getLine(row)!));
  }

  cell(row: number, column: number): Cell {
    const line = this.#shown()[row];
    if (line === undefined)
      throw new Error(`there is no row ${row}: the screen has ${this.emulator.rows}, counted from 0`);
    return cellAt(line, column);
  }

  styles(): StyledRun[][] {
    return this.#shown().map(runsOf);
  }

  cursor(): Position {
    const { cursorX, cursorY } = this.emulator.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  #shown(): IBufferLine[] {
    const { active } = this.emulator.buffer;
    return Array.from({ length: this.emulator.rows }, (_, row) => active.getLine(active.baseY + row)!);
  }
}

function trimmed(line: IBufferLine): string {
  return line.translateToString(true).trimEnd();
}
