/**
 * A word of a command line as a shell would hand it over: quotes and backslashes taken away, also where a quote is still open. Nothing
 * is expanded or run: variables and substitutions stay as they were typed.
 */
export function plainWord(word: string): string {
  let plain = "";
  let quote = "";
  for (let index = 0; index < word.length; index++) {
    const character = word[index]!;
    const next = word[index + 1];
    if (quote === "'") {
      if (character === "'") quote = "";
      else plain += character;
    } else if (character === "\\" && next !== undefined && (quote === "" || /["\\$`]/.test(next))) {
      plain += next;
      index++;
    } else if (character === quote) quote = "";
    else if (quote === "" && (character === "'" || character === '"')) quote = character;
    else plain += character;
  }
  return plain;
}
