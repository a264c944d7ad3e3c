/** `$1`, `$@`, `$ARGUMENTS`, `${1:-default}`, `${@:2}` and `${@:2:1}`; `$100` and `$1.50` are amounts. */
const PLACE =
  /\$(?:(\d{1,2})(?![\d.,]?\d)|@|ARGUMENTS\b|\{(\d{1,2}):-([^}]*)\}|\{@:(\d{1,2})(?::(\d{1,2}))?\})/g;

/**
 * A template with its arguments put in, once each and never into one another. Words are split at blanks outside of quotes; a place
 * without a word is empty. A template without places gets the arguments below its text.
 */
export function expandTemplate(body: string, argument: string): string {
  const words = splitWords(argument);
  let places = 0;
  const text = body.replace(
    PLACE,
    (place, index?: string, optional?: string, fallback?: string, from?: string, count?: string) => {
      if (index === "0" || optional === "0") return place;
      places++;
      if (index !== undefined) return words[Number(index) - 1] ?? "";
      if (optional !== undefined) return words[Number(optional) - 1] ?? fallback ?? "";
      if (from === undefined) return argument;
      const start = Math.max(0, Number(from) - 1);
      return words.slice(start, count === undefined ? undefined : start + Number(count)).join(" ");
    },
  );
  return places > 0 || argument === "" ? text : `${text}\n\n${argument}`;
}

/** Words as a shell would split them: at blanks, `"…"` and `'…'` kept together; a quote that is not closed is a character. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:"([^"]*)"|'([^']*)'|([^\s"']+|["']))+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
  );
}
