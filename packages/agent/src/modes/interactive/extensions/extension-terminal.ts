import type { Terminal } from "@earendil-works/pi-tui";

/** The pictures of the Kitty protocol are the one thing that an extension may write past the screen (it deletes its own). */
const PICTURES = /^(?:\x1b_G[^\x07\x1b]*\x1b\\)+$/;

export interface ExtensionTerminalParts {
  readonly terminal: Terminal;
  readonly setTitle: (title: string) => void;
  /** Something was asked for that only the surface may do. */
  readonly refused: (what: string) => void;
}

/** The terminal as an extension sees it: its size, and nothing that would reach the screen past the surface. */
export class ExtensionTerminal implements Terminal {
  readonly #parts: ExtensionTerminalParts;

  constructor(parts: ExtensionTerminalParts) {
    this.#parts = parts;
  }

  get columns(): number {
    return this.#parts.terminal.columns;
  }

  get rows(): number {
    return this.#parts.terminal.rows;
  }

  get kittyProtocolActive(): boolean {
    return this.#parts.terminal.kittyProtocolActive;
  }

  write(data: string): void {
    if (PICTURES.test(data)) this.#parts.terminal.write(data);
    else this.#refuse("terminal.write");
  }

  setTitle(title: string): void {
    this.#parts.setTitle(title);
  }

  start(): void {
    this.#refuse("terminal.start");
  }

  stop(): void {
    this.#refuse("terminal.stop");
  }

  async drainInput(): Promise<void> {
    this.#refuse("terminal.drainInput");
  }

  moveBy(): void {
    this.#refuse("terminal.moveBy");
  }

  hideCursor(): void {
    this.#refuse("terminal.hideCursor");
  }

  showCursor(): void {
    this.#refuse("terminal.showCursor");
  }

  clearLine(): void {
    this.#refuse("terminal.clearLine");
  }

  clearFromCursor(): void {
    this.#refuse("terminal.clearFromCursor");
  }

  clearScreen(): void {
    this.#refuse("terminal.clearScreen");
  }

  setProgress(): void {
    this.#refuse("terminal.setProgress");
  }

  setProgramStatus(): void {
    this.#refuse("terminal.setProgramStatus");
  }

  #refuse(what: string): void {
    this.#parts.refused(what);
  }
}
