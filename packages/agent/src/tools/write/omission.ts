/** An ellipsis with a word that says "what stood here stays", as models write when they are too lazy for the whole file. */
const MARK =
  /(?:\.{3}|…|\[)[^\n]{0,40}?\b(?:rest|remain(?:s|ing|der)?|unchanged|existing|omitted|same as (?:before|above)|as before|previous|other (?:code|methods|functions|lines|content))\b|\b(?:rest|remainder|remaining|existing|previous|other)\b[^\n]{0,60}?\b(?:unchanged|omitted|here|stays?|as (?:is|before)|same)\b[^\n]{0,10}?(?:\.{3}|…)?|\b(?:unchanged|omitted|truncated) (?:code|lines|content)\b/i;
/** Only whole comment-like lines count: `// ...`, `# …`, `<!-- … -->`, `[…]`, `... rest`. */
const COMMENT = /^\s*(?:\/\/|#|\/\*|\*|<!--|--|;|%|\{\/\*|\.{3}|…|\[)/;

/** A line of `content` that stands for left-out text. */
export interface Omission {
  /** From 1. */
  line: number;
  text: string;
}

/**
 * Finds a placeholder such as `// ... rest unchanged ...` in a whole new content that has fewer lines than the old one and
 * does not already hold that line. Null when the content looks complete.
 */
export function findOmission(content: string, old: string): Omission | null {
  const lines = content.split("\n");
  const before = old.split("\n");
  if (lines.length >= before.length) return null;
  const known = new Set(before.map((line) => line.trim()));
  for (const [index, text] of lines.entries())
    if (COMMENT.test(text) && MARK.test(text) && !known.has(text.trim()))
      return { line: index + 1, text: text.trim() };
  return null;
}
