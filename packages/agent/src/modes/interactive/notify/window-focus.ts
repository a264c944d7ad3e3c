import type { Terminal } from "@earendil-works/pi-tui";

const FOCUS_IN = "\x1b[I";
const FOCUS_OUT = "\x1b[O";

/**
 * Whether the terminal's window is in front, as the terminal reports it (mode 1004). The screen library swallows these reports, so
 * they are read before it: make this before the terminal is started.
 */
export class WindowFocus {
  readonly #terminal: Terminal;
  readonly #onChange: (inFront: boolean) => void;
  #inFront: boolean | undefined;

  constructor(terminal: Terminal, onChange: (inFront: boolean) => void = () => undefined) {
    this.#terminal = terminal;
    this.#onChange = onChange;
    const start = terminal.start.bind(terminal);
    terminal.start = (onInput, onResize) =>
      start((data) => {
        this.#read(data);
        onInput(data);
      }, onResize);
  }

  /** Undefined until the terminal has reported once: many never do. */
  get inFront(): boolean | undefined {
    return this.#inFront;
  }

  /** Asks for reports; call it after the terminal was started. */
  enable(): void {
    this.#terminal.write("\x1b[?1004h");
  }

  /** Ends the reports; call it before the terminal is stopped. */
  disable(): void {
    this.#terminal.write("\x1b[?1004l");
  }

  #read(data: string): void {
    if (data !== FOCUS_IN && data !== FOCUS_OUT) return;
    const inFront = data === FOCUS_IN;
    if (inFront === this.#inFront) return;
    this.#inFront = inFront;
    this.#onChange(inFront);
  }
}
