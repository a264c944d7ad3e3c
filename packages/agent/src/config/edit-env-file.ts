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
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const lines = linesOf(text.slice(mark.length));
  const found = lines.flatMap(({ line }, at) => (LINE.exec(line)?.[2] === name ? [at] : []));
  if (value === null) return mark + joined(lines.filter((_, at) => !found.includes(at)));
  const last = lines[found.at(-1) ?? -1];
  if (last !== undefined) {
    const [, before, , , behind] = LINE.exec(last.line)!;
    last.line = `${before}${quoted(value)}${behind}`;
    return mark + joined(lines);
  }
  const end = lines.findLast((each) => each.end !== "")?.end ?? "\n";
  const open = lines.at(-1);
  if (open?.end === "") open.end = end;
  return mark + joined([...lines, { line: `${name}=${quoted(value)}`, end }]);
}

/** Lines with the ends that each of them has; the last one may have none. */
function linesOf(text: string): { line: string; end: string }[] {
  const found = text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g);
  return Array.from(found, ([, line, end]) => ({ line: line!, end: end! })).filter(
    ({ line, end }) => line + end !== "",
  );
}

function joined(lines: readonly { line: string; end: string }[]): string {
  return lines.map(({ line, end }) => line + end).join("");
}

function quoted(value: string): string {
  if (PLAIN.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}
