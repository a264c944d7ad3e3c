import {
  literalWord,
  type ShellCommand,
  type ShellLine,
  type ShellProblem,
  type ShellWord,
  unknownWord,
} from "./shell-line.ts";
import {
  type Cursor,
  closingParenthesis,
  type NestedReader,
  readArithmetic,
  readExpansions,
  readWord,
} from "./word-reader.ts";

const MAX_LENGTH = 200_000;
const MAX_DEPTH = 40;
const REDIRECTION = /(?:\d+|\{[A-Za-z_]\w*\})?(&>>|&>|<<<|<<-|<<|<&|<>|>>|>&|>\||>|<)/y;
const ASSIGNMENT = /([A-Za-z_]\w*)(\[[^\]\s]*\])?\+?=/y;
/** Words that open, join or close compound commands; what follows them is a command again (or a redirection). */
const RESERVED = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "while",
  "until",
  "do",
  "done",
  "{",
  "}",
  "!",
  "time",
  "esac",
]);
const DECLARING = new Set(["declare", "typeset", "local", "readonly", "export"]);

/**
 * Finds every simple command of a bash command line. It reads more forms than bash accepts and never fewer: a line that it
 * does not understand has a `syntax` problem. At most 200,000 characters and 40 levels of nesting are read.
 */
export function parseShellLine(text: string): ShellLine {
  const line: ShellLine = { commands: [], problems: [] };
  if (text.length > MAX_LENGTH)
    line.problems.push({ kind: "syntax", message: "the line is too long to be read" });
  else
    try {
      new Parser(text, line, 0).parse();
    } catch (thrown) {
      // Expansions in expansions in expansions: deeper than the stack.
      if (!(thrown instanceof RangeError)) throw thrown;
      line.problems.push({ kind: "syntax", message: "nested too deeply" });
    }
  return line;
}

interface PendingDocument {
  delimiter: ShellWord;
  stripTabs: boolean;
  redirection: { body?: ShellWord };
}

class Parser implements NestedReader {
  readonly #cursor: Cursor;
  readonly #line: ShellLine;
  #depth: number;
  #documents: PendingDocument[] = [];

  constructor(text: string, line: ShellLine, depth: number) {
    this.#cursor = { text, at: 0 };
    this.#line = line;
    this.#depth = depth;
  }

  parse(): void {
    this.#list(false);
    if (this.#documents.length > 0) this.problem("syntax", "a here-document has no body");
  }

  problem(kind: ShellProblem["kind"], message: string): void {
    this.#line.problems.push({ kind, message });
  }

  commands(): void {
    if (++this.#depth > MAX_DEPTH) {
      this.problem("syntax", "nested too deeply");
      this.#cursor.at = this.#cursor.text.length;
    } else this.#list(true);
    this.#depth--;
  }

  script(text: string): void {
    if (this.#depth >= MAX_DEPTH) this.problem("syntax", "nested too deeply");
    else new Parser(text, this.#line, this.#depth + 1).parse();
  }

  /** What a sticky expression finds at the cursor. */
  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#cursor.at;
    return expression.exec(this.#cursor.text);
  }

  #peek(ahead = 0): string {
    return this.#cursor.text[this.#cursor.at + ahead] ?? "";
  }

  /** Reads commands to the end, or up to and including the `)` that closes them. */
  #list(nested: boolean): void {
    const cursor = this.#cursor;
    let cases = 0;
    for (;;) {
      this.#blanks();
      const character = this.#peek();
      if (character === "") {
        if (nested) this.problem("syntax", "a parenthesis is not closed");
        return;
      }
      if (character === ")") {
        cursor.at++;
        if (nested) return;
        this.problem("syntax", "a closing parenthesis that nothing opened");
      } else if (character === "\n") this.#newline();
      else if (character === ";") {
        const end = this.#match(/;;?&?/y)?.[0] ?? ";";
        cursor.at += end.length;
        if (end === ";") continue;
        if (cases > 0) this.#casePattern();
        else this.problem("syntax", `${end} outside of a case`);
      } else if (character === "|" || (character === "&" && this.#peek(1) !== ">")) cursor.at++;
      else if (character === "(") this.#parenthesis();
      else {
        const word = this.#reservedWord();
        if (word === undefined) this.#simpleCommand();
        else if (word === "case") {
          cases++;
          this.#caseHead();
        } else if (word === "esac") cases--;
        else if (word === "for" || word === "select") this.#forHead();
        else if (word === "[[") this.#test();
        else if (word === "function") {
          this.#blanks();
          readWord(cursor, this);
          this.#functionParentheses();
          this.problem("defines", "it defines a function");
        } else if (word === "coproc") this.problem("dynamic", "it starts a coprocess");
        else if (word === "time") this.#timeOptions();
      }
    }
  }

  /** Consumes a reserved word in command position. */
  #reservedWord(): string | undefined {
    const word = this.#match(/[^\s;&|()<>'"\\$`]+(?=[\s;&|()<>]|$)/y)?.[0];
    if (word === undefined) return undefined;
    if (!RESERVED.has(word) && !["case", "for", "select", "[[", "function", "coproc"].includes(word))
      return undefined;
    this.#cursor.at += word.length;
    return word;
  }

  #timeOptions(): void {
    this.#blanks();
    while (this.#match(/(?:-p|--)(?=\s)/y)) {
      this.#cursor.at += 2;
      this.#blanks();
    }
  }

  #parenthesis(loopHead = false): void {
    const cursor = this.#cursor;
    if (this.#peek(1) === "(") {
      const close = closingParenthesis(cursor.text, cursor.at + 2);
      if (cursor.text[close + 1] === ")") {
        cursor.at += 2;
        if (loopHead) readExpansions(cursor, close, this);
        else readArithmetic(cursor, close, this);
        cursor.at = close + 2;
        return;
      }
    }
    cursor.at++;
    this.commands();
  }

  #forHead(): void {
    this.#blanks();
    if (this.#peek() === "(" && this.#peek(1) === "(") {
      this.#parenthesis(true);
      return;
    }
    readWord(this.#cursor, this);
    this.#blanksAndNewlines();
    if (!this.#match(/in(?=[\s;])/y)) return;
    this.#cursor.at += 2;
    for (;;) {
      this.#blanks();
      if (readWord(this.#cursor, this) === null) return;
    }
  }

  #caseHead(): void {
    this.#blanks();
    readWord(this.#cursor, this);
    this.#blanksAndNewlines();
    if (this.#match(/in(?=\s)/y)) this.#cursor.at += 2;
    else this.problem("syntax", "a case without in");
    this.#casePattern();
  }

  #casePattern(): void {
    this.#blanksAndNewlines();
    if (this.#match(/esac(?=[\s;&|)]|$)/y)) return;
    if (this.#peek() === "(") this.#cursor.at++;
    for (;;) {
      this.#blanks();
      const read = readWord(this.#cursor, this);
      this.#blanks();
      const character = this.#peek();
      this.#cursor.at++;
      if (character === ")") return;
      if (character !== "|" || read === null) {
        this.problem("syntax", "a case pattern that is not understood");
        return;
      }
    }
  }

  /** `[[ … ]]`: words and operators, of which only substitutions count. */
  #test(): void {
    for (;;) {
      this.#blanksAndNewlines();
      if (this.#peek() === "") {
        this.problem("syntax", "[[ is not closed");
        return;
      }
      const word = readWord(this.#cursor, this);
      if (word === null) this.#cursor.at++;
      else if (word.text === "]]" && !word.quoted) return;
      else if (word.quoted && /\$\(|`/.test(word.text) && word.kind === "literal")
        this.problem("dynamic", "a test that may evaluate text as code");
    }
  }

  #functionParentheses(): void {
    const match = this.#match(/[ \t]*\([ \t]*\)/y)?.[0];
    this.#cursor.at += match?.length ?? 0;
  }

  #simpleCommand(): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    const command: ShellCommand = { assignments: [], words: [], redirections: [], source: "" };
    for (;;) {
      this.#blanks();
      const character = this.#peek();
      if (character === "" || "\n;|)".includes(character)) break;
      if (this.#redirection(command)) continue;
      if (character === "&") break;
      if (character === "(") {
        if (command.words.length === 1 && this.#match(/\([ \t]*\)/y)) {
          this.#functionParentheses();
          this.problem("defines", "it defines a function");
          return;
        }
        if (!this.#array(command)) this.problem("syntax", "a parenthesis where none may stand");
        continue;
      }
      if (command.words.length === 0 && this.#assignment(command)) continue;
      const word = readWord(cursor, this);
      if (word === null) {
        this.problem("syntax", `${JSON.stringify(character)} is not understood`);
        cursor.at++;
      } else if (word.text !== "" || word.quoted || word.kind !== "literal") command.words.push(word);
    }
    command.source = cursor.text.slice(start, cursor.at).trim();
    if (command.words.length + command.assignments.length + command.redirections.length > 0)
      this.#line.commands.push(command);
  }

  #assignment(command: ShellCommand): boolean {
    const match = this.#match(ASSIGNMENT);
    if (!match) return false;
    const [whole, name = "", subscript = ""] = match;
    if (/[$`]/.test(subscript)) this.problem("dynamic", "a subscript that is computed");
    this.#cursor.at += whole.length;
    if (this.#peek() === "(") {
      this.#arrayWords();
      command.assignments.push({ name, value: unknownWord() });
      return true;
    }
    const value = readWord(this.#cursor, this) ?? literalWord("");
    if (value.kind === "literal" && /\$\(|`/.test(value.text))
      this.problem("dynamic", `${name} is given text that may be evaluated as code`);
    command.assignments.push({ name, value });
    return true;
  }

  /** `declare x=(…)`: the list behind a word that ends with `=`. */
  #array(command: ShellCommand): boolean {
    const previous = this.#cursor.text[this.#cursor.at - 1];
    if (previous !== "=" || !DECLARING.has(command.words[0]?.text ?? "")) {
      this.#cursor.at++;
      return false;
    }
    this.#arrayWords();
    return true;
  }

  #arrayWords(): void {
    this.#cursor.at++;
    for (;;) {
      this.#blanksAndNewlines();
      if (readWord(this.#cursor, this) !== null) continue;
      if (this.#peek() !== ")") this.problem("syntax", "a list that is not closed");
      this.#cursor.at++;
      return;
    }
  }

  #redirection(command: ShellCommand): boolean {
    const match = this.#match(REDIRECTION);
    if (!match || this.#match(/[<>]\(/y)) return false;
    const operator = match[1]!;
    this.#cursor.at += match[0].length;
    this.#blanks();
    const target = readWord(this.#cursor, this);
    if (target === null) {
      this.problem("syntax", `${operator} leads nowhere`);
      return true;
    }
    const redirection: ShellCommand["redirections"][number] = {
      operator: operator === "<<-" ? "<<" : operator,
      target,
    };
    command.redirections.push(redirection);
    if (operator === "<<<") redirection.body = target;
    if (operator === "<<" || operator === "<<-")
      this.#documents.push({ delimiter: target, stripTabs: operator === "<<-", redirection });
    return true;
  }

  #newline(): void {
    this.#cursor.at++;
    const due = this.#documents;
    this.#documents = [];
    for (const document of due) this.#readDocument(document);
  }

  #readDocument({ delimiter, stripTabs, redirection }: PendingDocument): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    let end = cursor.text.length;
    while (cursor.at < cursor.text.length) {
      const lineEnd = cursor.text.indexOf("\n", cursor.at);
      const stop = lineEnd === -1 ? cursor.text.length : lineEnd;
      const line = cursor.text.slice(cursor.at, stop);
      if ((stripTabs ? line.replace(/^\t+/, "") : line) === delimiter.text) {
        end = cursor.at;
        cursor.at = stop;
        break;
      }
      cursor.at = Math.min(stop + 1, cursor.text.length);
    }
    const body = cursor.text.slice(start, end);
    if (delimiter.quoted) redirection.body = literalWord(body);
    else {
      const inner = new Parser(body, this.#line, this.#depth + 1);
      redirection.body = readExpansions(inner.#cursor, body.length, inner);
    }
  }

  /** Blanks, line continuations and comments. */
  #blanks(): void {
    const { text } = this.#cursor;
    for (;;) {
      const character = this.#peek();
      if (character === " " || character === "\t") this.#cursor.at++;
      else if (character === "\\" && this.#peek(1) === "\n") this.#cursor.at += 2;
      else if (
        character === "#" &&
        (this.#cursor.at === 0 || /[\s;&|()<>]/.test(text[this.#cursor.at - 1]!))
      ) {
        const end = text.indexOf("\n", this.#cursor.at);
        this.#cursor.at = end === -1 ? text.length : end;
      } else return;
    }
  }

  #blanksAndNewlines(): void {
    this.#blanks();
    while (this.#peek() === "\n") {
      this.#newline();
      this.#blanks();
    }
  }
}
