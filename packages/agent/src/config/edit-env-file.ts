/** One `NAME=value` line: what stands before the value, the value as it is written, and a comment behind it. */
const LINE =
  /^(\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|.*?)(\s+#.*|\s*)$/;
/** What other programs that read such files take as it is. */
const PLAIN = /^[\w.\-+/=:@,%]+$/;

/**
 * The text of an `.env` file with one variable set (null: taken out). All other lines, comments, line ends and a byte order mark stay
 * as they are. Where it is set more than once the last line counts, and is the one that changes; taken out are all.
 */
export function editEnvFile(text: string, name: string, value: string | null): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const lines = text.slice(mark.length).split(/\r\n|\n|\r/);
  const found = lines.flatMap((line, at) => (LINE.exec(line)?.[2] === name ? [at] : []));
  if (value === null) return mark + lines.filter((_, at) => !found.includes(at)).join(eol);
  const last = found.at(-1);
  if (last !== undefined) {
    const [, before, , , behind] = LINE.exec(lines[last]!)!;
    lines[last] = `${before}${quoted(value)}${behind}`;
    return mark + lines.join(eol);
  }
  // The last line may lack its end.
  if (lines.at(-1) === "") lines.pop();
  return `${mark}${[...lines, `${name}=${quoted(value)}`].join(eol)}${eol}`;
}

function quoted(value: string): string {
  if (PLAIN.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}
