import type { Cell, StyledRun } from "./cell.ts";
import { type ClipboardWrite, DesktopMessages, type DesktopNotification } from "./desktop-messages.ts";
import { encodeKey } from "./keys.ts";
import { killSession } from "./kill-session.ts";
import { type LineSettings, lineSettings } from "./line-settings.ts";
import { encodeMouse, type Position } from "./mouse.ts";
import { OutputWaits } from "./output-waits.ts";
import { Screen, type ShownScreen } from "./screen.ts";
import { DARK_TERMINAL, type TerminalColors } from "./terminal-colors.ts";
import { ModeTracker, type ScreenCounts, type TerminalModes } from "./terminal-modes.ts";
import { type ColorAnswers, Replies } from "./terminal-replies.ts";
import { changedState, type TerminalState } from "./terminal-state.ts";

export interface TerminalOptions {
  /** Default 80. */
  cols?: number;
  /** Default 24. */
  rows?: number;
  cwd?: string;
  /** The whole environment; without it that of the test run. TERM and COLORTERM are added where they are missing. */
  env?: Record<string, string>;
  /** How queries for colours are answered. Default: a dark theme. */
  colors?: ColorAnswers;
  /** The best that its keyboard can do: kitty's protocol (default), xterm's modifyOtherKeys, or neither. */
  keyboard?: "kitty" | "xterm" | "plain";
  /** `ignored`: a terminal that answers no query at all. */
  queries?: "answered" | "ignored";
}

/** How a program on a terminal ended. */
export interface TerminalEnd {
  code: number;
  signal: NodeJS.Signals | null;
}

/** What a test can wait for: text on the screen, or anything that can be asked of the program. */
export type Awaited = string | RegExp | ((program: TerminalProgram) => boolean);

/** How long output that was written before the end may take to arrive after it. */
const DRAIN_MS = 1_000;

/**
 * A program on a pseudo-terminal whose screen is emulated, and whose queries are answered, as by a modern terminal. It leads
 * a session of its own. Made by `startTerminal`; disposal kills the whole session.
 */
export class TerminalProgram implements ShownScreen, AsyncDisposable {
  readonly pid: number;
  /** Resolves when the program has ended and all that it wrote is on the screen. */
  readonly exited: Promise<TerminalEnd>;
  /** Everything it wrote, as text with its escape sequences. */
  output = "";
  /** Bytes that the program wrote. */
  bytesWritten = 0;
  readonly #screen: Screen;
  readonly #process: Bun.Subprocess;
  readonly #terminal: Bun.Terminal;
  readonly #tracker: ModeTracker;
  readonly #replies: Replies;
  readonly #desktop: DesktopMessages;
  readonly #waits: OutputWaits;
  readonly #listeners = new Set<(data: Uint8Array, at: number) => void>();
  readonly #decoder = new TextDecoder();
  readonly #hungUp = Promise.withResolvers<void>();
  #title = "";
  #shownAt = performance.now();
  #parsed: Promise<void> = Promise.resolve();

  constructor(argv: readonly string[], options: TerminalOptions) {
    const { cols = 80, rows = 24, cwd, env = process.env, colors = DARK_TERMINAL } = options;
    const { keyboard = "kitty", queries = "answered" } = options;
    const kitty = keyboard === "kitty";
    this.#screen = new Screen(cols, rows);
    const { emulator } = this.#screen;
    emulator.onTitleChange((title) => {
      this.#title = title;
    });
    this.#tracker = new ModeTracker(emulator, { kitty, modifyOtherKeys: keyboard !== "plain" });
    const reply = (data: string): void => {
      if (queries === "answered") this.send(data);
    };
    this.#replies = new Replies(emulator, this.#tracker, { colors, kitty, reply });
    emulator.onData(reply);
    this.#desktop = new DesktopMessages(emulator);
    this.#waits = new OutputWaits(() => this.#told());
    // The terminal has to be given inline: of a ready-made one the child gets no controlling terminal.
    this.#process = Bun.spawn([...argv], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { TERM: "xterm-256color", COLORTERM: "truecolor", ...env },
      terminal: {
        cols,
        rows,
        data: (_, data) => this.#take(data),
        exit: () => this.#hungUp.resolve(),
      },
    });
    if (this.#process.terminal === undefined)
      throw new Error(`${argv[0]}: this system gave no pseudo-terminal`);
    this.#terminal = this.#process.terminal;
    this.pid = this.#process.pid;
    this.exited = this.#end();
  }

  /** Its rows as text, trailing blanks trimmed. */
  screen(): string[] {
    return this.#screen.screen();
  }

  /** The rows above the screen, oldest first. */
  scrollback(): string[] {
    return this.#screen.scrollback();
  }

  /** Row and column from 0. */
  cell(row: number, column: number): Cell {
    return this.#screen.cell(row, column);
  }

  /** Per row its runs of one style. */
  styles(): StyledRun[][] {
    return this.#screen.styles();
  }

  /** Row and column from 0; whether it is shown: `modes.cursorHidden`. */
  cursor(): Position {
    return this.#screen.cursor();
  }

  get size(): { cols: number; rows: number } {
    return this.#screen.size;
  }

  /** The title of its window; empty when it set none. */
  get title(): string {
    return this.#title;
  }

  get modes(): TerminalModes {
    return this.#tracker.modes;
  }

  /** Echo, raw mode and so on, as the kernel has them; also after the end, but not after `hangUp`. */
  get lineSettings(): LineSettings {
    return lineSettings(this.#terminal);
  }

  /** What is not as it was before the program started, with its value; `{}` when the terminal is as before. */
  unrestored(): Partial<TerminalState> {
    return changedState({ ...this.modes, ...this.lineSettings });
  }

  get counts(): Readonly<ScreenCounts> {
    return this.#tracker.counts;
  }

  get bells(): number {
    return this.#desktop.bells;
  }

  get notifications(): readonly DesktopNotification[] {
    return this.#desktop.notifications;
  }

  /** What it put into clipboards (OSC 52). */
  get clipboard(): readonly ClipboardWrite[] {
    return this.#desktop.clipboard;
  }

  /** The state of its progress bar (OSC 9;4): 0 none, 1 a percentage, 2 error, 3 busy, 4 paused. */
  get progress(): number {
    return this.#desktop.progress;
  }

  /**
   * Resolves when the screen holds the text or matches (rows are trimmed and joined by line feeds), or the predicate is true; never in
   * the middle of a synchronized update. Gives the `performance.now()` at which the output that made it so came in. Fails,
   * with the screen, when the program ends before.
   */
  waitFor(wanted: Awaited): Promise<number> {
    const holds = test(wanted);
    return this.#waits.until(() => (holds(this) ? this.#shownAt : null), String(wanted));
  }

  /** Resolves when nothing has been written for `quietMs` (default 150): for storms of output that end with no mark. */
  async settled(quietMs = 150): Promise<void> {
    await this.#waits.quiet(quietMs);
    await this.#parsed;
  }

  /** Hears of all output as it comes in, at `performance.now()`, before it is on the screen. The result stops it. */
  onOutput(listener: (data: Uint8Array, at: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends bytes as they are. */
  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (!this.#terminal.closed) this.#terminal.write(data);
  }

  /** Types text in one go; a line feed is Enter. */
  type(text: string): void {
    this.send(text.replaceAll("\n", "\r"));
  }

  /** Presses and releases keys, one after the other: `ctrl+c`, `escape`, `shift+enter`, `pageUp`, `f5`, `x`. */
  press(...keys: string[]): void {
    for (const key of keys) this.send(encodeKey(key, this.modes));
  }

  /** Pastes text as a terminal does: line feeds become carriage returns, in brackets if the program asked for them. */
  paste(text: string): void {
    const pasted = text.replace(/\r?\n/g, "\r");
    this.send(this.modes.bracketedPaste ? `\x1b[200~${pasted.replaceAll("\x1b[201~", "")}\x1b[201~` : pasted);
  }

  /** Turns the wheel by `notches` (default 1), over a place (default: the middle of the screen). */
  wheel(direction: "up" | "down", notches = 1, at: Position = this.#middle): void {
    const button = direction === "up" ? "wheelUp" : "wheelDown";
    for (let notch = 0; notch < notches; notch++) this.send(encodeMouse(button, "press", at, this.modes));
  }

  /** Clicks with the left button. */
  click(at: Position): void {
    this.send(encodeMouse("left", "press", at, this.modes) + encodeMouse("left", "release", at, this.modes));
  }

  /** Presses the left button, moves, and lets go. */
  drag(from: Position, to: Position): void {
    for (const [action, at] of [
      ["press", from],
      ["move", to],
      ["release", to],
    ] as const)
      this.send(encodeMouse("left", action, at, this.modes));
  }

  /** The window gets or loses the focus; told only to a program that asked. */
  focus(gained: boolean): void {
    if (this.modes.focusReporting) this.send(gained ? "\x1b[I" : "\x1b[O");
  }

  /** Resizes the window: the program gets SIGWINCH. */
  resize(cols: number, rows: number): void {
    this.#screen.emulator.resize(cols, rows);
    this.#terminal.resize(cols, rows);
  }

  /** Answers the colour queries of a terminal with `colors: "late"`. */
  answerColors(colors: TerminalColors): void {
    this.#replies.answer(colors);
  }

  /** The user changes the terminal's theme. */
  changeColors(colors: TerminalColors): void {
    this.#replies.change(colors, this.modes.colorSchemeReports);
  }

  /** Sends a signal to the program itself. */
  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    this.#process.kill(signal);
  }

  /** Closes the window: the program loses its terminal and gets SIGHUP. */
  hangUp(): void {
    this.#terminal.close();
    this.#hungUp.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    killSession(this.pid);
    await this.exited;
    if (!this.#terminal.closed) this.#terminal.close();
    this.#screen.emulator.dispose();
  }

  get #middle(): Position {
    return { row: Math.floor(this.size.rows / 2), column: Math.floor(this.size.cols / 2) };
  }

  #take(data: Uint8Array): void {
    const at = performance.now();
    this.bytesWritten += data.length;
    this.output += this.#decoder.decode(data, { stream: true });
    for (const listener of this.#listeners) listener(data, at);
    // The emulator keeps what it is given until it gets to it; the buffer may be used again by then.
    this.#parsed = this.#screen.write(data.slice()).then(() => {
      this.#shownAt = at;
      this.#waits.changed();
    });
  }

  async #end(): Promise<TerminalEnd> {
    const code = await this.#process.exited;
    await Promise.race([this.#hungUp.promise, Bun.sleep(DRAIN_MS)]);
    await this.#parsed;
    this.#waits.ended();
    const { signalCode } = this.#process;
    return { code, signal: typeof signalCode === "string" ? signalCode : null };
  }

  #told(): string {
    const frame = "-".repeat(this.size.cols);
    const { code, signal } = { code: this.#process.exitCode, signal: this.#process.signalCode };
    const state = code === null && signal === null ? "running" : `ended, code ${code}, signal ${signal}`;
    return `${frame}\n${this.screen().join("\n")}\n${frame}\n(${state}; modes: ${JSON.stringify(this.modes)})`;
  }
}

function test(wanted: Awaited): (program: TerminalProgram) => boolean {
  if (typeof wanted === "function") return (program) => !program.modes.synchronizedOutput && wanted(program);
  const shown = (program: TerminalProgram): string | null =>
    program.modes.synchronizedOutput ? null : program.screen().join("\n");
  if (typeof wanted === "string") return (program) => shown(program)?.includes(wanted) ?? false;
  const pattern = new RegExp(wanted, wanted.flags.replace(/[gy]/g, ""));
  return (program) => {
    const text = shown(program);
    return text !== null && pattern.test(text);
  };
}

/** Starts a program on a pseudo-terminal of its own. POSIX. Dispose of it with `await using`. */
export function startTerminal(argv: readonly string[], options: TerminalOptions = {}): TerminalProgram {
  return new TerminalProgram(argv, options);
}
