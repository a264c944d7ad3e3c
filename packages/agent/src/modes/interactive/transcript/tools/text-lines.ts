/** Reading lines of a long text without splitting all of it. */

/** Lines of a text; a final newline ends the last one. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** The first `count` lines. */
export function headLines(text: string, count: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length && lines.length < count; ) {
    const end = text.indexOf("\n", at);
    lines.push(text.slice(at, end === -1 ? text.length : end));
    if (end === -1) break;
    at = end + 1;
  }
  return lines;
}

/** The last `count` lines. */
export function tailLines(text: string, count: number): string[] {
  const lines: string[] = [];
  let end = text.endsWith("\n") ? text.length - 1 : text.length;
  while (end >= 0 && lines.length < count && text !== "") {
    const start = end === 0 ? -1 : text.lastIndexOf("\n", end - 1);
    lines.push(text.slice(start + 1, end));
    if (start === -1) break;
    end = start;
  }
  return lines.reverse();
}
