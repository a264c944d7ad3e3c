/** A piece of a Markdown text that is drawn on its own. */
export interface Segment {
  readonly kind: "markdown" | "code";
  /** Lines joined by newlines, without the fences of code. */
  readonly text: string;
  /** It goes on within what the piece before it began: the same fence, or a paragraph or table cut for its size. */
  readonly glued: boolean;
  /** Of code: what follows the opening fence. */
  readonly info?: string;
  /** Of code: whether its closing fence has come. */
  readonly closed?: boolean;
  /** Of a table that was cut: its first two lines, drawn above the rest too. */
  readonly tableHead?: string;
}

/** A piece is drawn whole, so its size bounds what a frame and a delta cost. */
const MAX_CHARACTERS = 6_000;
const MAX_CODE_LINES = 100;
/** What is looked at beyond a cut before it is final. */
const MARGIN = 64;

const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/;
const INNER_FENCE = /^\s*(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const MAYBE_FENCE = /^ {0,3}(?:`+|~+)$/;
/** Not the place to cut: marks, joiners, selectors, modifiers and the second half of a character. */
const INSEPARABLE = /^(?:[\p{M}\udc00-\udfff]|\p{Emoji_Modifier}|\u200d)/u;

interface State {
  /** The open fence of a code piece. */
  fence: { mark: string; indent: number } | undefined;
  /** The open fence within a list item. */
  innerFence: string | undefined;
  inList: boolean;
  /** Empty lines seen since the last line of the piece. */
  blanks: number;
  /** The next line starts a piece whatever it is. */
  fresh: boolean;
  /** Lines of the code piece so far. */
  codeLines: number;
  /** A long line was cut: what follows belongs to it. */
  midLine: boolean;
  tableHead: string | undefined;
}

/**
 * Splits a Markdown text, as it arrives, at places where what follows cannot change how what came before is drawn: blank lines
 * outside of lists, headings, fences. The pieces depend on the text only, not on how it was cut into deltas. A link that is
 * defined in another piece (`[text][name]`) stays as written.
 */
export class Segmenter {
  readonly #segments: Segment[] = [];
  #state: State = {
    fence: undefined,
    innerFence: undefined,
    inList: false,
    blanks: 0,
    fresh: true,
    codeLines: 0,
    midLine: false,
    tableHead: undefined,
  };
  /** The last line, whose end has not come. */
  #pending = "";
  /** What holds before the pending line was tried out. */
  #firm: { state: State; count: number; last: Segment | undefined } | undefined;

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Takes more text; gives the index of the first piece that changed. */
  append(delta: string): number {
    this.#restore();
    const changedFrom = Math.max(0, this.#segments.length - 1);
    const lines = (this.#pending + delta).split("\n");
    this.#pending = lines.pop()!;
    for (const line of lines) this.#line(line.endsWith("\r") ? line.slice(0, -1) : line);
    this.#pending = this.#cutLong(this.#pending, MARGIN);
    this.#firm = { state: { ...this.#state }, count: this.#segments.length, last: this.#segments.at(-1) };
    if (this.#pending !== "" && !this.#maybeFence(this.#pending)) this.#line(this.#pending);
    return changedFrom;
  }

  #restore(): void {
    if (!this.#firm) return;
    this.#state = this.#firm.state;
    this.#segments.length = this.#firm.count;
    if (this.#firm.last) this.#segments[this.#firm.count - 1] = this.#firm.last;
    this.#firm = undefined;
  }

  /** Whether more of this line may make it a fence: it would be drawn as text for a moment. */
  #maybeFence(line: string): boolean {
    return (
      !this.#state.midLine && MAYBE_FENCE.test(line) && (this.#state.fence ? true : line.trim().length < 3)
    );
  }

  #line(whole: string): void {
    const line = this.#cutLong(whole, 0);
    if (this.#state.midLine) this.#restOfLine(line);
    else if (this.#state.fence) this.#code(line);
    else this.#markdown(line);
  }

  /** Takes pieces off a line that is too long for one; what is left is the line's end. */
  #cutLong(line: string, margin: number): string {
    let rest = line;
    while (rest.length > MAX_CHARACTERS + margin) {
      const at = cutPosition(rest);
      const piece = rest.slice(0, at);
      if (this.#state.midLine) this.#start(piece, true);
      else if (this.#state.fence) this.#code(piece);
      else this.#markdown(piece);
      this.#state.midLine = true;
      rest = rest.slice(at);
    }
    return rest;
  }

  #restOfLine(line: string): void {
    const code = this.#state.fence !== undefined;
    this.#state.midLine = false;
    this.#start(line, true);
    if (!code) this.#state.fresh = false;
  }

  #code(line: string): void {
    const { fence } = this.#state;
    const close = FENCE.exec(line);
    if (fence && close && close[2]!.startsWith(fence.mark) && close[3]!.trim() === "") {
      this.#replaceLast({ closed: true });
      this.#state.fence = undefined;
      this.#state.fresh = true;
      return;
    }
    const last = this.#segments.at(-1)!;
    const text = fence && fence.indent > 0 ? line.replace(new RegExp(`^ {1,${fence.indent}}`), "") : line;
    const full = this.#state.codeLines >= MAX_CODE_LINES || last.text.length + text.length > MAX_CHARACTERS;
    if (full && this.#state.codeLines > 0) this.#start(text, true);
    else {
      this.#replaceLast({ text: this.#state.codeLines === 0 ? text : `${last.text}\n${text}` });
      this.#state.codeLines++;
    }
  }

  #markdown(line: string): void {
    const state = this.#state;
    if (state.innerFence !== undefined) {
      const close = INNER_FENCE.exec(line)?.[1];
      if (close?.startsWith(state.innerFence) && line.trim() === close) state.innerFence = undefined;
      this.#add(line);
      return;
    }
    if (line.trim() === "") {
      state.blanks++;
      return;
    }
    const indented = /^(?: {2,}|\t)/.test(line);
    const fence = FENCE.exec(line);
    const opens = fence !== null && (fence[2]!.startsWith("~") || !fence[3]!.includes("`"));
    if (opens && !(state.inList && indented)) {
      this.#open(fence);
      return;
    }
    const item = LIST_ITEM.test(line);
    const goesOn = state.inList && (indented || item);
    if (state.fresh || HEADING.test(line) || (state.blanks > 0 && !goesOn && !this.#indentedCode(line)))
      this.#start(line, false);
    else this.#add(line);
    if (item) state.inList = true;
    if (state.inList) state.innerFence = INNER_FENCE.exec(line)?.[1];
  }

  #indentedCode(line: string): boolean {
    const code = /^(?: {4,}|\t)/;
    return code.test(line) && code.test(this.#segments.at(-1)?.text ?? "");
  }

  #open([, indent = "", mark = "", info = ""]: RegExpExecArray): void {
    const state = this.#state;
    state.fence = { mark, indent: indent.length };
    state.blanks = 0;
    state.inList = false;
    state.codeLines = 0;
    state.tableHead = undefined;
    this.#segments.push({ kind: "code", text: "", glued: false, info: info.trim(), closed: false });
  }

  /** A new piece that begins with this line. */
  #start(line: string, glued: boolean): void {
    const state = this.#state;
    if (state.fence) {
      const info = this.#segments.at(-1)?.info ?? "";
      this.#segments.push({ kind: "code", text: line, glued, info, closed: false });
      state.codeLines = 1;
      return;
    }
    const head = glued && !state.midLine ? state.tableHead : undefined;
    this.#segments.push({
      kind: "markdown",
      text: line,
      glued,
      ...(head === undefined ? {} : { tableHead: head }),
    });
    if (!glued) {
      state.inList = false;
      state.tableHead = undefined;
    }
    state.fresh = false;
    state.blanks = 0;
  }

  #add(line: string): void {
    const last = this.#segments.at(-1)!;
    const state = this.#state;
    if (last.text.length + line.length > MAX_CHARACTERS) {
      this.#start(line, true);
      return;
    }
    if (state.blanks === 0 && TABLE_RULE.test(line) && line.includes("|") && !last.text.includes("\n"))
      state.tableHead = `${last.text}\n${line}`;
    else if (!line.includes("|")) state.tableHead = undefined;
    this.#replaceLast({ text: `${last.text}${"\n".repeat(state.blanks + 1)}${line}` });
    state.blanks = 0;
  }

  #replaceLast(change: Partial<Segment>): void {
    this.#segments[this.#segments.length - 1] = { ...this.#segments.at(-1)!, ...change };
  }
}

/** Where a long line is cut: at a blank if there is one in the second half, never within a character. */
function cutPosition(line: string): number {
  const blank = line.lastIndexOf(" ", MAX_CHARACTERS);
  if (blank > MAX_CHARACTERS / 2) return blank + 1;
  let at = MAX_CHARACTERS;
  for (let steps = 0; steps < MARGIN - 2 && at > 1; steps++) {
    if (!INSEPARABLE.test(line.slice(at, at + 2)) && line[at - 1] !== "\u200d") break;
    at--;
  }
  return at;
}
