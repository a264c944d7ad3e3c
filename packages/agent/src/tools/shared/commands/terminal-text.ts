/** What a terminal would show in the end: progress bars overwrite themselves, colours and cursor moves leave no trace. */

/** Takes text in any pieces; hands finished text on without a single control character but tab and line feed. */
export interface TerminalText {
  push(text: string): void;
  /** Hands on everything that is still open to change; a control sequence that is under way is kept, never shown. */
  flush(): void;
}

/** Lines that a cursor move can still reach. Programs that redraw several lines (docker, npm) use fewer. */
const WINDOW = 64;
/** A line longer than this is handed on in parts, so that memory stays small. */
const LINE_LIMIT = 64 * 1024;
/** An escape sequence that has not ended by then is no escape sequence. */
const SEQUENCE_LIMIT = 4096;

const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const TEXT = /[^\x00-\x08\x0a-\x1f\x7f-\x9f]+/y;
/** ECMA-48: CSI; OSC, DCS, SOS, PM and APC strings up to BEL or ST; two- and three-character escapes. An OSC without its end goes no further than its line. */
const SEQUENCE =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\)|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,4094}(?=\n)|\x1b[ -/]+[0-~]|\x1b[0-OQ-WYZ\\`-~]/y;
const STARTED =
  /^(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*\x1b?|\x1b[ -/]*)$/;

/** A small terminal without a width. `emit` gets the finished text in order. */
export function terminalText(emit: (text: string) => void): TerminalText {
  let rows = [""];
  let row = 0;
  /** Column in code points; null = at the end of the line. */
  let column: number | null = null;
  let waiting = "";

  const line = () => rows[row] ?? "";
  const lastRow = () => row === rows.length - 1;
  const position = () => column ?? [...line()].length;

  function push(piece: string): void {
    const text = waiting + piece;
    waiting = "";
    if (lastRow() && column === null && !CONTROL.test(text)) append(text);
    else interpret(text);
    if (lastRow() && column === null && line().length > LINE_LIMIT) flush();
  }

  /** Text without control characters at the very end: nearly all output, so lines are not taken apart one by one. */
  function append(text: string): void {
    if (!text.includes("\n")) {
      rows[row] = line() + text;
      return;
    }
    const all = rows.join("\n") + text;
    let kept = all.length;
    for (let lines = 0; lines < WINDOW && kept > 0; lines++) kept = all.lastIndexOf("\n", kept - 1);
    if (kept > 0) emit(all.slice(0, kept + 1));
    rows = all.slice(kept > 0 ? kept + 1 : 0).split("\n");
    row = rows.length - 1;
  }

  function interpret(text: string): void {
    for (let at = 0; at < text.length; ) {
      const plain = matchAt(TEXT, text, at);
      if (plain) {
        write(plain[0]);
        at += plain[0].length;
        continue;
      }
      const sequence = matchAt(SEQUENCE, text, at);
      if (sequence) {
        if (sequence[2] !== undefined) control(sequence[1] ?? "", sequence[2]);
        at += sequence[0].length;
        continue;
      }
      const rest = text.slice(at, at + SEQUENCE_LIMIT);
      if (at + rest.length === text.length && STARTED.test(rest)) {
        waiting = rest;
        return;
      }
      single(text[at] ?? "");
      at += 1;
    }
  }

  function single(character: string): void {
    if (character === "\n") newLine();
    else if (character === "\r") moveTo(0);
    else if (character === "\b") moveTo(position() - 1);
    else if (character === "\0") write("\\x00");
  }

  function newLine(): void {
    row += 1;
    if (row === rows.length) rows.push("");
    column = line() === "" ? null : 0;
    if (rows.length <= WINDOW) return;
    emit(`${rows.shift()}\n`);
    row -= 1;
  }

  function write(text: string): void {
    if (column === null) {
      rows[row] = line() + text;
      return;
    }
    const old = [...line()];
    const added = [...text];
    while (old.length < column) old.push(" ");
    old.splice(column, added.length, ...added);
    rows[row] = old.join("");
    moveTo(column + added.length);
  }

  function moveTo(target: number): void {
    const next = Math.min(Math.max(0, target), LINE_LIMIT);
    column = next === [...line()].length ? null : next;
  }

  function moveRow(target: number): void {
    const kept = position();
    row = Math.min(Math.max(0, target), rows.length - 1);
    moveTo(kept);
  }

  function control(parameters: string, final: string): void {
    const [first, second] = parameters.split(";").map((number) => Number.parseInt(number, 10));
    const amount = first || 1;
    if (final === "A") moveRow(row - amount);
    else if (final === "B") moveRow(row + amount);
    else if (final === "C") moveTo(position() + amount);
    else if (final === "D") moveTo(position() - amount);
    else if (final === "E" || final === "F") {
      moveRow(final === "E" ? row + amount : row - amount);
      moveTo(0);
    } else if (final === "G") moveTo(amount - 1);
    else if (final === "H" || final === "f") {
      moveRow(amount - 1);
      moveTo((second || 1) - 1);
    } else if (final === "K") eraseLine(first || 0);
    else if (final === "J") eraseScreen(first || 0);
  }

  function eraseLine(mode: number): void {
    const at = position();
    const old = [...line()];
    if (mode === 0) rows[row] = old.slice(0, at).join("");
    else rows[row] = mode === 2 ? "" : " ".repeat(Math.min(at, old.length)) + old.slice(at).join("");
    moveTo(at);
  }

  function eraseScreen(mode: number): void {
    if (mode >= 2) {
      // What was cleared away was still said.
      const at = position();
      if (rows.join("") !== "") emit(`${rows.join("\n").trimEnd()}\n`);
      rows = [""];
      row = 0;
      moveTo(at);
    } else if (mode === 0) {
      eraseLine(0);
      rows.length = row + 1;
    }
  }

  function flush(): void {
    const text = rows.join("\n");
    if (text !== "") emit(text);
    rows = [""];
    row = 0;
    column = null;
  }

  return { push, flush };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
