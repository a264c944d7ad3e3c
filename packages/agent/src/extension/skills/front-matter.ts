/** A value of front matter: a text, a list of texts, or a map (of which only the lines are known). */
export type FrontMatterValue = string | readonly string[] | null;

/** A file's front matter and what comes after it. */
export interface FrontMatter {
  /** By key as written. */
  values: ReadonlyMap<string, { value: FrontMatterValue; line: number }>;
  /** The text after the closing `---`. */
  body: string;
  /** Line of the file at which the body begins, from 1. */
  bodyLine: number;
}

/** What is wrong with front matter, and in which line of the file (from 1). */
export class FrontMatterError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const KEY = /^([A-Za-z_][\w .-]*?)\s*:(?:\s+(.*))?$/;
const BLOCK = /^([|>])([+-]?)(\d?)\s*(?:#.*)?$/;

/**
 * Reads the front matter of a Markdown file: the part of YAML that such files use, and what people write there that strict YAML refuses
 * (`description: Use it for: this`). Null when the file has none. Throws a {@link FrontMatterError}.
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first < 0 || !isFence(lines[first]!, "---")) return null;
  const end = lines.findIndex(
    (line, index) => index > first && (isFence(line, "---") || isFence(line, "...")),
  );
  if (end < 0)
    throw new FrontMatterError(
      first + 1,
      `the front matter that begins in line ${first + 1} has no closing ---`,
    );
  const values = new Reader(lines.slice(0, end), first + 1).read();
  return { values, body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
}

function isFence(line: string, fence: string): boolean {
  return line.trimEnd() === fence;
}

class Reader {
  readonly #lines: readonly string[];
  readonly #values = new Map<string, { value: FrontMatterValue; line: number }>();
  #at: number;

  /** `at`: index of the first line after the opening fence; indexes are lines of the file, from 0. */
  constructor(lines: readonly string[], at: number) {
    this.#lines = lines;
    this.#at = at;
  }

  read(): ReadonlyMap<string, { value: FrontMatterValue; line: number }> {
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at]!;
      if (isBlank(line)) this.#at++;
      else this.#entry(line);
    }
    return this.#values;
  }

  #entry(line: string): void {
    const at = this.#at;
    if (/^\s/.test(line)) throw this.#error(at, "this line is indented and belongs to no key");
    const match = KEY.exec(line.trimEnd());
    if (match === null) throw this.#error(at, `"${clip(line.trim())}" is not of the form key: value`);
    const key = match[1]!;
    const known = this.#values.get(key);
    if (known !== undefined) throw this.#error(at, `"${key}" stands here and in line ${known.line}`);
    this.#at++;
    this.#values.set(key, { value: this.#value((match[2] ?? "").trim(), at), line: at + 1 });
  }

  #value(first: string, at: number): FrontMatterValue {
    const block = BLOCK.exec(first);
    if (block !== null) return this.#block(block[1] === ">", block[2] ?? "");
    if (first === "" || first.startsWith("#")) return this.#below();
    if (first.startsWith('"') || first.startsWith("'")) return this.#quoted(first, at);
    if (first.startsWith("[")) return this.#flowList(first, at);
    // A plain text may go on in indented lines.
    return [withoutComment(first), ...this.#indented().map((line) => withoutComment(line.trim()))]
      .filter((line) => line !== "")
      .join(" ");
  }

  /** What stands below `key:`: a list, a text, or a map, which is passed over. */
  #below(): FrontMatterValue {
    const start = this.#at;
    const lines: string[] = [];
    // A list may stand at the margin.
    while (this.#at < this.#lines.length && /^(\s|-(\s|$)|$)/.test(this.#lines[this.#at]!))
      lines.push(this.#lines[this.#at++]!);
    const said = lines.filter((line) => !isBlank(line)).map((line) => line.trim());
    if (said.length === 0) return null;
    if (said[0]!.startsWith("-"))
      return said.flatMap((line) => {
        const item = /^-\s*(.*)$/.exec(line)?.[1];
        const at = start + lines.findIndex((each) => each.trim() === line);
        if (item === undefined) throw this.#error(at, "this line is no entry of the list above it (- entry)");
        const text = scalar(item, () => this.#error(at, "a quote is not closed"));
        return text === "" ? [] : [text];
      });
    return said.some((line) => KEY.test(line)) ? null : said.join(" ");
  }

  #block(folded: boolean, chomp: string): string {
    const lines = this.#indented(true);
    const indents = lines.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)![0].length);
    const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
    const inner = lines.map((line) => line.slice(Math.min(indent, line.length)).trimEnd());
    const text = folded ? fold(inner) : inner.join("\n");
    return chomp === "+" ? text : text.replace(/\n+$/, "");
  }

  #quoted(first: string, at: number): string {
    let text = first;
    // A quoted text may go on in further lines.
    for (;;) {
      const closed = closedQuote(text);
      if (closed !== undefined) return unquote(closed);
      const next = this.#lines[this.#at];
      if (next === undefined || !/^\s/.test(next)) throw this.#error(at, "a quote is not closed");
      text += ` ${next.trim()}`;
      this.#at++;
    }
  }

  #flowList(first: string, at: number): readonly string[] | string {
    let text = first;
    while (!text.includes("]")) {
      const next = this.#lines[this.#at];
      if (next === undefined || !/^\s/.test(next)) throw this.#error(at, "a [ is not closed");
      text += ` ${next.trim()}`;
      this.#at++;
    }
    const match = /^\[(.*)\]\s*(?:#.*)?$/.exec(text);
    // `[draft] a text` is a text that begins with a bracket.
    if (match === null) return withoutComment(text);
    return splitList(match[1]!)
      .map((item) => scalar(item.trim(), () => this.#error(at, "a quote is not closed")))
      .filter((item) => item !== "");
  }

  #indented(blanks = false): string[] {
    const lines: string[] = [];
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at]!;
      if (line.trim() === "" ? !blanks : !/^\s/.test(line)) break;
      lines.push(line);
      this.#at++;
    }
    return lines;
  }

  #error(index: number, message: string): FrontMatterError {
    return new FrontMatterError(index + 1, message);
  }
}

function isBlank(line: string): boolean {
  return line.trim() === "" || line.trimStart().startsWith("#");
}

function withoutComment(text: string): string {
  return text.replace(/\s+#.*$/, "");
}

/** Lines that follow each other become one; an empty line is a line break. */
function fold(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/([^\n])\n(?=[^\n\s])/g, "$1 ")
    .replace(/\n\n/g, "\n");
}

/** The quoted text at the beginning, with its quotes, if it is closed and nothing but a comment follows. */
function closedQuote(text: string): string | undefined {
  return /^("(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')\s*(?:#.*)?$/.exec(text)?.[1];
}

function scalar(text: string, unclosed: () => Error): string {
  if (!/^["']/.test(text)) return withoutComment(text);
  const closed = closedQuote(text);
  if (closed === undefined) throw unclosed();
  return unquote(closed);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", e: "\x1b" };

function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner.replaceAll("''", "'");
  return inner.replace(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([\s\S]))/g,
    (_, two?: string, four?: string, other?: string) =>
      other === undefined
        ? String.fromCharCode(Number.parseInt(two ?? four ?? "", 16))
        : (ESCAPES[other] ?? other),
  );
}

/** At commas outside of quotes. */
function splitList(text: string): string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,])+/g) ?? [];
}

function clip(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
