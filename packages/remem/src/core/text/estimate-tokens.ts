/**
 * Tokens a unit, fitted on the tokenizer of OpenAI's models since 2024 (o200k) for ASCII, and the highest of several families for what
 * families differ most in: other scripts and pictures.
 */
const TOKENS = {
  word: 0.906,
  letter: 0.03,
  digitRun: 2.572,
  punctuation: 0.373,
  newline: 1.394,
  /** A space behind another. */
  space: 0.081,
  dense: 0.993,
  otherScript: 0.45,
  /** Emoji are several tokens each, and so are the invisible signs that join and colour them. */
  picture: 2.2,
} as const;

/** Tokenizers of other families cut finer: on prose a fifth, on code a fourth. */
const MARGIN = 1.2;

type Kind = "start" | "lower" | "upper" | "digit" | "newline" | "space" | "punctuation" | "other";

const FIRST_BEYOND_ASCII = 0x80;

/**
 * About how many tokens a model counts for a text, without its vocabulary. Meant to err upwards: a budget may be filled less than it
 * could, and is not passed.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let before: Kind = "start";
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= FIRST_BEYOND_ASCII) {
      tokens += beyondAscii(code);
      before = "other";
      continue;
    }
    const kind = asciiKind(code);
    tokens += asciiTokens(kind, before);
    before = kind;
  }
  return Math.ceil(tokens * MARGIN);
}

function asciiKind(code: number): Kind {
  if (code >= 97 && code <= 122) return "lower";
  if (code >= 65 && code <= 90) return "upper";
  if (code >= 48 && code <= 57) return "digit";
  if (code === 10) return "newline";
  return code === 32 || code === 9 || code === 13 ? "space" : "punctuation";
}

/** What a character adds, seen after the one before it: a word costs where it begins, `readFile` is two. */
function asciiTokens(kind: Kind, before: Kind): number {
  switch (kind) {
    case "lower":
      return TOKENS.letter + (before === "lower" || before === "upper" ? 0 : TOKENS.word);
    case "upper":
      return TOKENS.letter + (before === "upper" ? 0 : TOKENS.word);
    case "digit":
      return before === "digit" ? 0 : TOKENS.digitRun;
    case "newline":
      return TOKENS.newline;
    case "space":
      return before === "space" ? TOKENS.space : 0;
    default:
      return TOKENS.punctuation;
  }
}

/** A UTF-16 unit. Pictures are pairs of units, and each half costs half. */
function beyondAscii(code: number): number {
  if (isDense(code)) return TOKENS.dense;
  if (code >= 0xd800 && code <= 0xdfff) return TOKENS.picture / 2;
  return (code >= 0x2000 && code <= 0x2bff) || code >= 0xfe00 ? TOKENS.picture : TOKENS.otherScript;
}

/** Han, kana and Hangul: about a token a letter. */
function isDense(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef)
  );
}
