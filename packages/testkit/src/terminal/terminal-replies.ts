import type { Terminal } from "@xterm/headless";
import { contrastRatio, paletteColor, type TerminalColors } from "./terminal-colors.ts";
import type { ModeTracker } from "./terminal-modes.ts";

/**
 * How queries for colours are answered: with these colours; `silent`: never, as many terminals do; `late`: when
 * the test says so (`answerColors`).
 */
export type ColorAnswers = TerminalColors | "silent" | "late";

/** The size of a cell in pixels, as it is told. */
export const CELL_PIXELS = { width: 9, height: 18 };

/** Answers what the headless emulator leaves unanswered: colours, cell sizes, keyboard flags, the terminal's name. */
export class Replies {
  #colors: ColorAnswers;
  #waiting: string[] = [];
  readonly #reply: (data: string) => void;

  constructor(
    emulator: Terminal,
    tracker: ModeTracker,
    options: { colors: ColorAnswers; kitty: boolean; reply: (data: string) => void },
  ) {
    this.#colors = options.colors;
    this.#reply = options.reply;
    const { parser } = emulator;
    const csi = (id: { prefix?: string; final: string }, act: (first: number) => string | null): void => {
      parser.registerCsiHandler(id, ([param = 0]) => {
        const answer = act(typeof param === "number" ? param : (param[0] ?? 0));
        if (answer !== null) this.#reply(answer);
        return answer !== null;
      });
    };
    if (options.kitty) csi({ prefix: "?", final: "u" }, () => `\x1b[?${tracker.modes.kittyKeyboard}u`);
    csi({ prefix: ">", final: "q" }, () => "\x1bP>|testkit 1.0\x1b\\");
    csi({ prefix: "?", final: "n" }, (what) =>
      what === 996 && typeof this.#colors === "object" ? schemeReport(this.#colors) : null,
    );
    csi({ final: "t" }, (what) => {
      const { cols, rows } = emulator;
      if (what === 14) return `\x1b[4;${rows * CELL_PIXELS.height};${cols * CELL_PIXELS.width}t`;
      if (what === 16) return `\x1b[6;${CELL_PIXELS.height};${CELL_PIXELS.width}t`;
      return what === 18 ? `\x1b[8;${rows};${cols}t` : null;
    });
    parser.registerOscHandler(10, (data) => data === "?" && this.#asked("10"));
    parser.registerOscHandler(11, (data) => data === "?" && this.#asked("11"));
    parser.registerOscHandler(4, (data) => {
      const words = data.split(";");
      const asked = words.flatMap((word, at) => (words[at + 1] === "?" ? [`4;${word}`] : []));
      for (const target of asked) this.#asked(target);
      return asked.length > 0;
    });
  }

  /** Answers the queries that wait; from now on queries are answered at once. */
  answer(colors: TerminalColors): void {
    if (this.#colors === "silent") throw new Error("this terminal was started as one that never answers");
    this.#colors = colors;
    for (const target of this.#waiting.splice(0)) this.#asked(target);
  }

  /** Changes the theme; a program that asked to hear of it (mode 2031) is told. */
  change(colors: TerminalColors, told: boolean): void {
    this.#colors = colors;
    if (told) this.#reply(schemeReport(colors));
  }

  #asked(target: string): true {
    const colors = this.#colors;
    if (colors === "late") this.#waiting.push(target);
    if (typeof colors === "string") return true;
    const color =
      target === "10"
        ? colors.foreground
        : target === "11"
          ? colors.background
          : paletteColor(Number(target.slice(2)), colors);
    const channels = [1, 3, 5].map((at) => color.slice(at, at + 2).repeat(2));
    this.#reply(`\x1b]${target};rgb:${channels.join("/")}\x1b\\`);
    return true;
  }
}

function schemeReport({ background }: TerminalColors): string {
  const light = contrastRatio(background, "#000000") > contrastRatio(background, "#ffffff");
  return `\x1b[?997;${light ? 2 : 1}n`;
}
