/**
 * Letters, marks and digits of all scripts, by and large. The classes that Unicode names (`\p{L}`) take four times as long to compile,
 * which counts in as many patterns as there are.
 */
const WORD =
  "\\w\\xaa\\xb5\\xba\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff\\uf900-\\ufdff\\ufe70-\\ufefe\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\uff66-\\uffdc\\u{10000}-\\u{1cfff}\\u{1e000}-\\u{1efff}\\u{20000}-\\u{3ffff}";
const EDGE = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`;
const OTHER_LETTER = /(?![\0-\x7f])[\p{L}\p{M}\p{N}]/u;

/**
 * A pattern whose `\b` is the edge of words of any script: by itself it takes "é" for the end of a word. A text of plain letters is
 * matched by the pattern as it is written, which means the same there and compiles in a tenth of the time.
 */
export class WordPattern {
  readonly #plain: RegExp;
  #edged: RegExp | undefined;

  constructor(plain: RegExp) {
    this.#plain = plain;
  }

  test(text: string): boolean {
    return this.#for(text).test(text);
  }

  exec(text: string): RegExpExecArray | null {
    return this.#for(text).exec(text);
  }

  /** The text without the first match. */
  takenOff(text: string): string {
    return text.replace(this.#for(text), "");
  }

  #for(text: string): RegExp {
    if (!OTHER_LETTER.test(text)) return this.#plain;
    const { source, flags } = this.#plain;
    this.#edged ??= source.includes("\\b") ? new RegExp(source.replaceAll("\\b", EDGE), flags) : this.#plain;
    return this.#edged;
  }
}

/** The same patterns, with edges of words of any script. */
export function withWordEdges(patterns: readonly RegExp[]): WordPattern[] {
  return patterns.map((pattern) => new WordPattern(pattern));
}
