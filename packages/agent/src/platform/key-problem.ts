/** Tokens of some services hold a whole signed document, of some thousand characters. */
const MOST_CHARACTERS = 16_384;

/** What is wrong with an API key that cannot be meant as it is (`is empty`, `has a line break in it`, …), or undefined. */
export function keyProblem(value: string): string | undefined {
  if (value.replaceAll("\uFEFF", "").trim() === "") return "is empty";
  if (value.includes("\uFEFF")) return "has a byte order mark (U+FEFF) in it";
  if (/[\r\n]/.test(value)) return "has a line break in it";
  if (/^["'`]|["'`]$/.test(value.trim())) return "has quotation marks around it";
  if (/\s/.test(value)) return "has a space in it";
  if (/^[A-Z][A-Z0-9_]*(?:KEY|TOKEN)=/.test(value)) return "begins with its own name and =";
  if (/^\$(?:[A-Za-z_]\w*|\{\w+\})$/.test(value)) return "is the name of a variable, not its value";
  if (value.length > MOST_CHARACTERS) return `is ${value.length} characters long, more than any key`;
  if (/[^\x21-\x7e]/.test(value)) return "has a character in it that no key has";
  return undefined;
}
