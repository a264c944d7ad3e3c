import { readAnsiCQuote } from "./ansi-c-quote.ts";
import type { ShellWord } from "./shell-line.ts";

/** A place in a text that moves on as it is read. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** What a word may hold and the reader of words cannot read itself. */
export interface NestedReader {
  /** Reads commands from the cursor up to and including the closing parenthesis. */
  commands(): void;
  /** Reads a script of its own (backquotes). */
  script(text: string): void;
  problem(kind: "syntax" | "dynamic", message: string): void;
}

const END = /[\s|&;()<>]/;
const NAME_START = /[A-Za-z0-9_@*#?$!-]/;

/** Collects one word piece by piece. */
class WordBuilder {
  text = "";
  quoted = false;
  #fixedLength: number | undefined;
  #kind: ShellWord["kind"] = "literal";

  pattern(): void {
    this.#fixedLength ??= this.text.length;
    if (this.#kind === "literal") this.#kind = "pattern";
  }

  dynamic(source: string): void {
    this.#fixedLength ??= this.text.length;
    this.#kind = "dynamic";
    this.text += source;
  }

  done(): ShellWord {
    const fixed = this.text.slice(0, this.#fixedLength ?? this.text.length);
    return { text: this.text, fixed, kind: this.#kind, quoted: this.quoted };
  }
}

/** Reads the word at the cursor, or gives null where none starts. Commands inside of it go to `nested`. */
export function readWord(cursor: Cursor, nested: NestedReader): ShellWord | null {
  const { text } = cursor;
  const start = cursor.at;
  const word = new WordBuilder();
  let bracket = false;
  let brace: { at: number; list: boolean } | undefined;
  while (cursor.at < text.length) {
    const character = text[cursor.at]!;
    const next = text[cursor.at + 1];
    if ((character === "<" || character === ">") && next === "(") {
      const from = cursor.at;
      cursor.at += 2;
      nested.commands();
      word.dynamic(text.slice(from, cursor.at));
    } else if (character === "(" && cursor.at > start && "?*+@!".includes(text[cursor.at - 1]!)) {
      word.pattern();
      const close = closingParenthesis(text, cursor.at + 1);
      word.dynamic(text.slice(cursor.at, close + 1));
      cursor.at = close + 1;
    } else if (END.test(character)) break;
    else if (character === "\\") readEscape(cursor, word);
    else if (character === "'") readSingle(cursor, word, nested);
    else if (character === '"') readDouble(cursor, word, nested);
    else if (character === "$" || character === "`") readExpansion(cursor, word, nested, false);
    else {
      if (character === "*" || character === "?" || (character === "]" && bracket)) word.pattern();
      if (character === "[") bracket = true;
      if (character === "~" && cursor.at === start) word.pattern();
      if (character === "{") brace = { at: cursor.at, list: false };
      if (brace && (character === "," || (character === "." && next === "."))) brace.list = true;
      word.text += character;
      cursor.at++;
      if (brace?.list && character === "}") word.dynamic("");
    }
  }
  return cursor.at === start ? null : finish(word);
}

/** A brace list or a bracket is only known at its end: what stood before it is not certain either. */
function finish(builder: WordBuilder): ShellWord {
  const word = builder.done();
  const opening = word.kind === "literal" ? -1 : word.fixed.search(/[{[]/);
  return opening === -1 ? word : { ...word, fixed: word.fixed.slice(0, opening) };
}

/** Reads text in which only expansions count (here-documents, arithmetic) from the cursor up to `end`. */
export function readExpansions(cursor: Cursor, end: number, nested: NestedReader): ShellWord {
  const word = new WordBuilder();
  while (cursor.at < end) {
    const character = cursor.text[cursor.at]!;
    if (character === "\\" && cursor.at + 1 < end) {
      word.text += cursor.text.slice(cursor.at, cursor.at + 2);
      cursor.at += 2;
    } else if (character === "$" || character === "`") readExpansion(cursor, word, nested, true);
    else {
      word.text += character;
      cursor.at++;
    }
  }
  return word.done();
}

function readEscape(cursor: Cursor, word: WordBuilder): void {
  const next = cursor.text[cursor.at + 1];
  if (next === "\n") {
    cursor.at += 2;
    return;
  }
  word.quoted = true;
  word.text += next ?? "\\";
  cursor.at += next === undefined ? 1 : 2;
}

function readSingle(cursor: Cursor, word: WordBuilder, nested: NestedReader): void {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end === -1) nested.problem("syntax", "a single quote is not closed");
  const until = end === -1 ? cursor.text.length : end;
  word.quoted = true;
  word.text += cursor.text.slice(cursor.at + 1, until);
  cursor.at = until + 1;
}

function readDouble(cursor: Cursor, word: WordBuilder, nested: NestedReader): void {
  word.quoted = true;
  cursor.at++;
  const { text } = cursor;
  while (cursor.at < text.length) {
    const character = text[cursor.at]!;
    if (character === '"') {
      cursor.at++;
      return;
    }
    if (character === "\\") {
      const next = text[cursor.at + 1] ?? "";
      if (next !== "\n") word.text += '$`"\\'.includes(next) ? next : `\\${next}`;
      cursor.at += 2;
    } else if (character === "$" || character === "`") readExpansion(cursor, word, nested, true);
    else {
      word.text += character;
      cursor.at++;
    }
  }
  nested.problem("syntax", "a double quote is not closed");
}

/** Reads what starts with `$` or a backquote. */
function readExpansion(cursor: Cursor, word: WordBuilder, nested: NestedReader, inDouble: boolean): void {
  const { text } = cursor;
  const start = cursor.at;
  const next = text[start + 1] ?? "";
  if (text[start] === "`") {
    readBackquotes(cursor, nested, inDouble);
  } else if (next === "'" && !inDouble) {
    const quote = readAnsiCQuote(text, start + 2);
    if (quote === null) nested.problem("syntax", "a $' quote is not closed");
    word.quoted = true;
    word.text += quote?.value ?? "";
    cursor.at = quote?.end ?? text.length;
    return;
  } else if (next === '"' && !inDouble) {
    cursor.at++;
    readDouble(cursor, word, nested);
    return;
  } else if (next === "(") readParenthesis(cursor, nested);
  else if (next === "{") readBraces(cursor, nested, inDouble);
  else if (next === "[") {
    const end = text.indexOf("]", start);
    cursor.at = start + 2;
    readExpansions(cursor, end === -1 ? text.length : end, nested);
    cursor.at++;
  } else if (NAME_START.test(next)) {
    cursor.at = start + (/^\$[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(start, start + 200))?.[0].length ?? 2);
  } else {
    word.text += "$";
    cursor.at++;
    return;
  }
  word.dynamic(text.slice(start, cursor.at));
}

function readBackquotes(cursor: Cursor, nested: NestedReader, inDouble: boolean): void {
  let script = "";
  let at = cursor.at + 1;
  for (; at < cursor.text.length && cursor.text[at] !== "`"; at++) {
    const next = cursor.text[at + 1] ?? "";
    if (cursor.text[at] === "\\" && ("`$\\".includes(next) || (inDouble && next === '"'))) at++;
    script += cursor.text[at] ?? "";
  }
  if (at >= cursor.text.length) nested.problem("syntax", "a backquote is not closed");
  cursor.at = at + 1;
  nested.script(script);
}

/** `$((…))` where the inner parenthesis is closed by two at once, as bash decides it; else `$(…)`. */
function readParenthesis(cursor: Cursor, nested: NestedReader): void {
  const { text } = cursor;
  if (text[cursor.at + 2] === "(") {
    const close = closingParenthesis(text, cursor.at + 3);
    if (text[close + 1] === ")") {
      cursor.at += 3;
      readArithmetic(cursor, close, nested);
      cursor.at = close + 2;
      return;
    }
  }
  cursor.at += 2;
  nested.commands();
}

/** Reads `((…))` from behind its parentheses to `close`. What does not look like arithmetic is taken for commands too. */
export function readArithmetic(cursor: Cursor, close: number, nested: NestedReader): void {
  const content = cursor.text.slice(cursor.at, close);
  if (/[;'"\n]|[A-Za-z_]\s+[A-Za-z_./-]/.test(content)) nested.script(content);
  readExpansions(cursor, close, nested);
}

function readBraces(cursor: Cursor, nested: NestedReader, inDouble: boolean): void {
  const { text } = cursor;
  if (/[\s|]/.test(text[cursor.at + 2] ?? ""))
    nested.problem("dynamic", "a substitution with braces that runs commands");
  cursor.at += 2;
  const ignored = new WordBuilder();
  while (cursor.at < text.length) {
    const character = text[cursor.at]!;
    if (character === "}") {
      cursor.at++;
      return;
    }
    if (character === "\\") cursor.at += 2;
    else if (character === "'" && !inDouble) readSingle(cursor, ignored, nested);
    else if (character === '"') readDouble(cursor, ignored, nested);
    else if (character === "$" || character === "`") readExpansion(cursor, ignored, nested, inDouble);
    else cursor.at++;
  }
  nested.problem("syntax", "a ${ is not closed");
}

/** Index of the parenthesis that closes the one before `from`, with quotes skipped; the text's length without one. */
export function closingParenthesis(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === "'") at = indexOrEnd(text, "'", at + 1);
    else if (character === "`") at = indexOrEnd(text, "`", at + 1);
    else if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at;
  }
  return text.length;
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at === -1 ? text.length : at;
}
