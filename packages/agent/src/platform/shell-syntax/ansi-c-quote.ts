const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/** Reads `$'…'` from behind its opening quote: its text and the index behind its closing quote, or null without one. */
export function readAnsiCQuote(text: string, from: number): { value: string; end: number } | null {
  let value = "";
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (character === "'") return { value, end: at + 1 };
    if (character !== "\\") {
      value += character;
      continue;
    }
    const sequence =
      /^(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|c[\s\S]|[\s\S])/.exec(
        text.slice(at + 1, at + 10),
      )?.[0];
    if (sequence === undefined) return null;
    value += decode(sequence);
    at += sequence.length;
  }
  return null;
}

function decode(sequence: string): string {
  const simple = SIMPLE[sequence];
  if (simple !== undefined) return simple;
  if (/^[0-7]/.test(sequence)) return String.fromCharCode(Number.parseInt(sequence, 8) & 0xff);
  if (/^[xuU]./.test(sequence)) {
    const point = Number.parseInt(sequence.slice(1), 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "";
  }
  if (sequence.startsWith("c") && sequence.length === 2)
    return String.fromCharCode(sequence.charCodeAt(1) & 0x1f);
  return `\\${sequence}`;
}
