/** Vim's normal and insert mode over the prompt. */
import { decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";
import {
  after,
  before,
  onCharacter,
  type Position,
  previous,
  textBetween,
  type VimBuffer,
} from "./vim-buffer.ts";
import { type FindCharacter, findMotion, type Motion, motionOf, wordObject } from "./vim-motions.ts";

export type VimMode = "insert" | "normal";

export interface VimOptions {
  buffer: VimBuffer;
  onMode(mode: VimMode): void;
  /** Gives keys to the editor as if they were typed, for `.`. */
  feed(data: string): void;
}

type Operator = "d" | "c" | "y";

const MOTIONS = "hjklwbeWBE0^$G ";
const SHORT: Readonly<Record<string, string>> = {
  x: "dl",
  X: "dh",
  D: "d$",
  C: "c$",
  s: "cl",
  Y: "yy",
  S: "cc",
};
const FIRST_INSERTS = "iIaAoO";

export class VimKeys {
  readonly #options: VimOptions;
  readonly #buffer: VimBuffer;
  #mode: VimMode = "insert";
  #count = "";
  #operator: Operator | null = null;
  #operatorCount = "";
  /** A key that waits for another one: g, r, f, F, t, T, and i or a behind an operator. */
  #waiting = "";
  #find: FindCharacter | null = null;
  #register = { text: "", linewise: false };
  /** The keys of the change in progress, and of the last one, for `.`. */
  #recording: string[] | null = null;
  #last: readonly string[] = [];
  #replaying = false;
  /** The first half of a character that the terminal gives in two. */
  #half = "";

  constructor(options: VimOptions) {
    this.#options = options;
    this.#buffer = options.buffer;
  }

  get mode(): VimMode {
    return this.#mode;
  }

  /** What is typed so far of a command ("2d"), for the mode indicator. */
  get pending(): string {
    return `${this.#operatorCount}${this.#operator ?? ""}${this.#count}${this.#waiting}`;
  }

  /** True when the key was vim's; false: the editor (or the program) has it. */
  handle(data: string): boolean {
    if (this.#mode === "insert") {
      this.#recording?.push(data);
      if (!matchesKey(data, "escape")) return false;
      this.#endInsert();
      return true;
    }
    if (matchesKey(data, "escape")) {
      if (this.pending === "") return false;
      this.#forget();
      return true;
    }
    if (matchesKey(data, "ctrl+r")) {
      this.#buffer.redo();
      this.#settle();
      return true;
    }
    if (matchesKey(data, "backspace")) {
      this.#key("h", data);
      return true;
    }
    const key = printable(data);
    if (key === null) return false;
    this.#half += key;
    if (this.#half.isWellFormed() || this.#half.length > 1) {
      const whole = this.#half;
      this.#half = "";
      this.#key(whole, whole);
    }
    return true;
  }

  /** After keys that the editor handled in normal mode: the cursor stands on a character. */
  settle(): void {
    if (this.#mode === "normal") this.#settle();
  }

  /** A new prompt begins in insert mode. */
  reset(): void {
    this.#forget();
    this.#recording = null;
    if (this.#mode === "normal") this.#setMode("insert");
  }

  #key(key: string, data: string): void {
    if (this.pending === "" && !this.#replaying) this.#recording = [];
    this.#recording?.push(data);
    if (this.#waiting !== "") this.#waited(this.#waiting, key);
    else if (/[1-9]/.test(key) || (key === "0" && this.#count !== "")) this.#count += key.slice(0, 1);
    else if (this.#operator !== null) this.#operand(key);
    else this.#command(key);
  }

  #times(): number | null {
    if (this.#count === "" && this.#operatorCount === "") return null;
    return Math.min(10_000, Number(this.#count || "1") * Number(this.#operatorCount || "1"));
  }

  #command(key: string): void {
    if (Object.hasOwn(SHORT, key)) {
      for (const each of SHORT[key]!) {
        if (this.#operator === null) this.#begin(each as Operator);
        else this.#operand(each);
      }
    } else if (key === "d" || key === "c" || key === "y") this.#begin(key);
    else if ("grfFtT".includes(key)) this.#waiting = key;
    else if (MOTIONS.includes(key)) this.#go(motionOf(key, this.#times(), this.#buffer), key);
    else if (key === ";" || key === ",") this.#go(this.#findAgain(key === ","));
    else if (FIRST_INSERTS.includes(key)) this.#insertAt(key);
    else if (key === "p" || key === "P") this.#put(key === "P");
    else if (key === "u") this.#undo();
    else if (key === ".") this.#repeat();
    else this.#forget();
  }

  #begin(operator: Operator): void {
    this.#operator = operator;
    this.#operatorCount = this.#count;
    this.#count = "";
  }

  #operand(key: string): void {
    if (key === this.#operator) {
      const { line } = this.#buffer.cursor();
      const last = Math.min(this.#buffer.lines().length - 1, line + (this.#times() ?? 1) - 1);
      this.#operate({ line, column: 0 }, { line: last, column: 0 }, true);
    } else if ("gfFtTia".includes(key)) this.#waiting = key;
    else if (key === ";" || key === ",") this.#apply(this.#findAgain(key === ","));
    // `cw` leaves the blanks behind the word.
    else if (this.#operator === "c" && (key === "w" || key === "W") && this.#onWord())
      this.#apply(motionOf(key === "w" ? "e" : "E", this.#times(), this.#buffer));
    else if (MOTIONS.includes(key)) this.#apply(motionOf(key, this.#times(), this.#buffer), key);
    else this.#forget();
  }

  #waited(waiting: string, key: string): void {
    this.#waiting = "";
    const motion = this.#waitedMotion(waiting, key);
    if (waiting === "r") this.#replaceCharacter(key);
    else if (waiting === "i" || waiting === "a") {
      const object = key === "w" ? wordObject(this.#buffer, waiting === "a") : null;
      if (object) this.#operate(object.from, object.to, false);
      else this.#forget();
    } else if (this.#operator === null) this.#go(motion);
    else this.#apply(motion);
  }

  #waitedMotion(waiting: string, key: string): Motion | null {
    if (waiting === "g") return key === "g" ? motionOf("gg", this.#times(), this.#buffer) : null;
    if (!"fFtT".includes(waiting)) return null;
    this.#find = { kind: waiting as FindCharacter["kind"], character: key };
    return findMotion(this.#find, this.#times() ?? 1, this.#buffer);
  }

  #findAgain(otherWay: boolean): Motion | null {
    if (this.#find === null) return null;
    const { kind, character } = this.#find;
    const turned = kind === kind.toLowerCase() ? kind.toUpperCase() : kind.toLowerCase();
    const find = { kind: (otherWay ? turned : kind) as FindCharacter["kind"], character };
    return findMotion(find, this.#times() ?? 1, this.#buffer);
  }

  #onWord(): boolean {
    const { line, column } = this.#buffer.cursor();
    return /\S/.test((this.#buffer.lines()[line] ?? "").charAt(column));
  }

  #go(motion: Motion | null, key = ""): void {
    // At the first and the last line j and k go on into the history, as the arrows do.
    if (motion !== null) this.#buffer.move(motion.to);
    else if (key === "j" || key === "k") this.#buffer.history(key === "k" ? -1 : 1);
    this.#forget();
    this.#settle();
  }

  #apply(motion: Motion | null, key = ""): void {
    if (motion === null) {
      this.#forget();
      return;
    }
    const at = this.#buffer.cursor();
    const [from, to] = before(motion.to, at) ? [motion.to, at] : [at, motion.to];
    if (motion.linewise) this.#operate({ line: from.line, column: 0 }, { line: to.line, column: 0 }, true);
    // `dw` on the last word of a line leaves the next line alone.
    else if ((key === "w" || key === "W") && to.line > from.line)
      this.#operate(from, { line: from.line, column: (this.#buffer.lines()[from.line] ?? "").length }, false);
    else this.#operate(from, motion.inclusive ? after(this.#buffer, to) : to, false);
  }

  #operate(from: Position, to: Position, linewise: boolean): void {
    const operator = this.#operator;
    const lines = this.#buffer.lines();
    const end = linewise ? { line: to.line, column: (lines[to.line] ?? "").length } : to;
    const text = textBetween(lines, from, end);
    this.#register = { text, linewise };
    this.#forgetCommand();
    if (operator === "y") {
      if (!linewise) this.#buffer.move(from);
    } else if (operator === "c") {
      this.#setMode("insert");
      this.#buffer.replace(from, end, "", from);
      return;
    } else if (linewise) this.#deleteLines(from.line, to.line);
    else this.#buffer.replace(from, end, "", from);
    this.#finish(operator === "d");
  }

  #deleteLines(first: number, last: number): void {
    const lines = this.#buffer.lines();
    const end = (line: number) => ({ line, column: (lines[line] ?? "").length });
    if (last < lines.length - 1)
      this.#buffer.replace({ line: first, column: 0 }, { line: last + 1, column: 0 }, "", {
        line: first,
        column: 0,
      });
    else if (first > 0) this.#buffer.replace(end(first - 1), end(last), "", { line: first - 1, column: 0 });
    else this.#buffer.replace({ line: 0, column: 0 }, end(last), "", { line: 0, column: 0 });
  }

  #insertAt(key: string): void {
    const { line, column } = this.#buffer.cursor();
    const text = this.#buffer.lines()[line] ?? "";
    this.#forgetCommand();
    this.#setMode("insert");
    if (key === "I") this.#buffer.move({ line, column: text.length - text.trimStart().length });
    else if (key === "a") this.#buffer.move(after(this.#buffer, { line, column }));
    else if (key === "A") this.#buffer.move({ line, column: text.length });
    else if (key === "o") {
      const end = { line, column: text.length };
      this.#buffer.replace(end, end, "\n", { line: line + 1, column: 0 });
    } else if (key === "O") {
      const start = { line, column: 0 };
      this.#buffer.replace(start, start, "\n", start);
    }
  }

  #put(above: boolean): void {
    const { text, linewise } = this.#register;
    const times = Math.min(100, this.#times() ?? 1);
    this.#forgetCommand();
    if (text !== "") {
      const at = this.#buffer.cursor();
      const line = this.#buffer.lines()[at.line] ?? "";
      if (linewise) {
        const row = { line: at.line, column: above ? 0 : line.length };
        const block = Array.from({ length: times }, () => (above ? `${text}\n` : `\n${text}`)).join("");
        this.#buffer.replace(row, row, block, { line: at.line + (above ? 0 : 1), column: 0 });
      } else {
        const spot = above ? at : after(this.#buffer, at);
        const rows = text.repeat(times).split("\n");
        const end = {
          line: spot.line + rows.length - 1,
          column: rows.at(-1)!.length + (rows.length === 1 ? spot.column : 0),
        };
        this.#buffer.replace(spot, spot, rows.join("\n"), end);
        this.#buffer.move(previous(this.#buffer, end));
      }
    }
    this.#finish(true);
  }

  #replaceCharacter(key: string): void {
    const at = this.#buffer.cursor();
    let end = at;
    for (let left = this.#times() ?? 1; left > 0; left--) end = after(this.#buffer, end);
    const count = this.#buffer.starts(textBetween(this.#buffer.lines(), at, end)).length;
    this.#forgetCommand();
    if (count > 0)
      this.#buffer.replace(at, end, key.repeat(count), {
        line: at.line,
        column: at.column + key.length * (count - 1),
      });
    this.#finish(count > 0);
  }

  #undo(): void {
    for (let left = Math.min(100, this.#times() ?? 1); left > 0; left--) this.#buffer.undo();
    this.#forget();
    this.#settle();
  }

  #repeat(): void {
    this.#forget();
    if (this.#replaying) return;
    this.#replaying = true;
    try {
      for (const data of this.#last) this.#options.feed(data);
    } finally {
      this.#replaying = false;
    }
  }

  #endInsert(): void {
    this.#setMode("normal");
    this.#buffer.move(previous(this.#buffer, this.#buffer.cursor()));
    this.#finish(this.#recording !== null);
  }

  /** A command is over; `change`: `.` does it again. */
  #finish(change: boolean): void {
    if (change && this.#recording !== null) this.#last = this.#recording;
    this.#forget();
    this.#settle();
  }

  #settle(): void {
    const at = this.#buffer.cursor();
    const to = onCharacter(this.#buffer, at);
    if (to.line !== at.line || to.column !== at.column) this.#buffer.move(to);
  }

  #forgetCommand(): void {
    this.#count = "";
    this.#operator = null;
    this.#operatorCount = "";
    this.#waiting = "";
  }

  #forget(): void {
    this.#forgetCommand();
    this.#recording = null;
  }

  #setMode(mode: VimMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    if (mode === "insert") this.#buffer.beginTyping();
    else this.#buffer.endTyping();
    this.#options.onMode(mode);
  }
}

function printable(data: string): string | null {
  const decoded = decodeKittyPrintable(data);
  if (decoded !== undefined) return decoded;
  return data.length > 0 && data.charCodeAt(0) >= 32 && data !== "\x7f" ? data : null;
}
