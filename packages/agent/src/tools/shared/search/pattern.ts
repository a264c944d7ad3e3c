/** A search pattern made ready for both engines, so that they agree on what it means. */
export interface SearchPattern {
  /** For ripgrep (`--engine auto`). */
  ripgrep: string;
  /** For the built-in engine; throws a SyntaxError when JavaScript cannot express the pattern. */
  compile(): RegExp;
  /** What was taken in another sense than written. */
  notes: string[];
}

/**
 * Prepares a regular expression (or literal text). Braces that are no repetition (`interface {`, `a{,2}`) stand for
 * themselves, which one engine refuses and the other does silently; it is noted.
 */
export function preparePattern(
  pattern: string,
  options: { literal: boolean; ignoreCase: boolean },
): SearchPattern {
  const flags = options.ignoreCase ? "iu" : "u";
  if (options.literal) {
    const escaped = pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    return { ripgrep: pattern, compile: () => new RegExp(escaped, flags), notes: [] };
  }
  const notes: string[] = [];
  const braced = literalBraces(pattern, notes);
  return { ripgrep: braced, compile: () => new RegExp(...forJavaScript(braced, flags)), notes };
}

/** Whether a match may span lines. */
export function isMultiline(pattern: string): boolean {
  return pattern.includes("\n") || /(^|[^\\])(\\\\)*\\n/.test(pattern);
}

function literalBraces(pattern: string, notes: string[]): string {
  let result = "";
  let inClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index]!;
    if (character === "\\") {
      const escaped = /^\\(?:[pPux]\{[^}]*\}|[\s\S])?/.exec(pattern.slice(index))![0];
      result += escaped;
      index += escaped.length - 1;
    } else if (inClass) {
      if (character === "]") inClass = false;
      result += character;
    } else if (character === "[") {
      inClass = true;
      // `]` as the first member of a class, and POSIX classes inside of it, do not end it.
      const opening = /^\[\^?\]?(?:\[:\^?\w+:\])*/.exec(pattern.slice(index))![0];
      result += opening;
      index += opening.length - 1;
    } else if (character === "{" || character === "}") {
      const quantifier = character === "{" ? /^\{\d+(,\d*)?\}/.exec(pattern.slice(index))?.[0] : undefined;
      if (quantifier !== undefined && result !== "") {
        result += quantifier;
        index += quantifier.length - 1;
        continue;
      }
      result += `\\${character}`;
      if (character === "{" && /^\{[\d,]/.test(pattern.slice(index)))
        notes.push(`"{" at position ${index + 1} begins no repetition and was searched as it stands`);
    } else result += character;
  }
  return result;
}

const POSIX: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "0-9a-zA-Z",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  blank: "\\t ",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "0-9a-fA-F",
  word: "\\w",
  cntrl: "\\x00-\\x1f\\x7f",
  print: "\\x20-\\x7e",
  graph: "\\x21-\\x7e",
};

/** Rewrites what Rust's regular expressions write in another way. */
function forJavaScript(pattern: string, flags: string): [string, string] {
  let source = pattern;
  let allFlags = flags;
  const inline = /^\(\?([ims]+)\)/.exec(source);
  if (inline) {
    source = source.slice(inline[0].length);
    for (const flag of inline[1]!) if (!allFlags.includes(flag)) allFlags += flag;
  }
  let inClass = false;
  source = source.replace(TOKEN, (token) => {
    if (token === "]") inClass = false;
    else if (token.startsWith("[") && !token.startsWith("[:")) {
      if (inClass) return token.replace(/[[\]]/g, "\\$&");
      inClass = true;
      // "]" right after "[" stands for itself.
      return token.replace("]", "\\]");
    } else if (token === "(?P<") return inClass ? token : "(?<";
    else if (token.startsWith("[:")) return POSIX[token.slice(2, -2)] ?? token;
    else return escapeForJavaScript(token, inClass);
    return token;
  });
  return [source, allFlags];
}

/** What means something in Rust's syntax and another thing, or nothing, in JavaScript's. */
const TOKEN = /\\(?:x\{[0-9A-Fa-f]+\}|[pP][A-Z](?!\{)|[\s\S])|\[:\w+:\]|\(\?P<|\[\^?\]?|\]/g;
const ANCHORS: Readonly<Record<string, string>> = {
  "\\A": "(?<![\\s\\S])",
  "\\z": "(?![\\s\\S])",
  "\\<": "\\b(?=\\w)",
  "\\>": "\\b(?<=\\w)",
};

function escapeForJavaScript(token: string, inClass: boolean): string {
  if (token.startsWith("\\x{")) return `\\u${token.slice(2)}`;
  if (/^\\[pP]./.test(token)) return `${token.slice(0, 2)}{${token.slice(2)}}`;
  if (token === "\\h") return inClass ? "\\t " : "[\\t ]";
  const anchor = inClass ? undefined : ANCHORS[token];
  if (anchor !== undefined) return anchor;
  // JavaScript's Unicode mode refuses an escape that needs none.
  return /^\\[-"'#%&,:;<=>@_`~! ]$/.test(token)
    ? `\\x${token.charCodeAt(1).toString(16).padStart(2, "0")}`
    : token;
}
