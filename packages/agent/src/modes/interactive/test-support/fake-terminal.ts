import type { ProgramStatus, Terminal } from "@earendil-works/pi-tui";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal as Emulator } from "@xterm/headless";

/** A terminal in memory: what is written goes to an emulator, whose screen can be read. For tests of components within a real TUI. */
export class FakeTerminal implements Terminal {
  readonly kittyProtocolActive = true;
  /** All bytes written since the start. */
  bytes = 0;
  /** Everything that was written, one element a write. */
  readonly written: string[] = [];
  title = "";
  progress = false;
  programStatus: ProgramStatus | undefined;
  readonly #emulator: Emulator;
  #parsed: Promise<void> = Promise.resolve();
  #input: ((data: string) => void) | undefined;
  #resized: (() => void) | undefined;
  #nextWrite: (() => void)[] = [];

  constructor(columns = 80, rows = 24) {
    this.#emulator = new Emulator({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
    this.#emulator.loadAddon(new UnicodeGraphemesAddon());
    this.#emulator.unicode.activeVersion = "15-graphemes";
  }

  get columns(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#input = onInput;
    this.#resized = onResize;
  }

  stop(): void {
    this.#input = undefined;
    this.#resized = undefined;
  }

  async drainInput(): Promise<void> {
    await this.#parsed;
  }

  write(data: string): void {
    this.bytes += Buffer.byteLength(data);
    this.written.push(data);
    this.#parsed = new Promise((resolve) => this.#emulator.write(data, resolve));
    for (const notify of this.#nextWrite.splice(0)) notify();
  }

  /** Resolves at the next write. */
  nextWrite(): Promise<void> {
    return new Promise((resolve) => this.#nextWrite.push(resolve));
  }

  /** Keys or any other input. */
  send(data: string): void {
    this.#input?.(data);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#resized?.();
  }

  /** The screen's rows as text, without trailing blanks, once all that was written is parsed. */
  async screen(): Promise<string[]> {
    await this.#parsed;
    const { active } = this.#emulator.buffer;
    return Array.from(
      { length: this.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`);
  }

  hideCursor(): void {
    this.write("\x1b[?25l");
  }

  showCursor(): void {
    this.write("\x1b[?25h");
  }

  clearLine(): void {
    this.write("\x1b[K");
  }

  clearFromCursor(): void {
    this.write("\x1b[J");
  }

  clearScreen(): void {
    this.write("\x1b[2J\x1b[H");
  }

  setTitle(title: string): void {
    this.title = title;
  }

  setProgress(active: boolean): void {
    this.progress = active;
  }

  setProgramStatus(status: ProgramStatus): void {
    this.programStatus = status;
  }
}
