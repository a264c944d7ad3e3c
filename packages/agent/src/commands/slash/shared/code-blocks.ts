/** The contents of the fenced code blocks of a Markdown text, in order, without their fences. One that is never closed goes to the end. */
export function codeBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let open: { fence: string; indent: number; lines: string[] } | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    if (open === null) {
      // an info string of a backtick fence has no backticks, or it would be inline code
      const start = /^( *)(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
      if (start) open = { fence: (start[2] ?? start[3])!, indent: start[1]!.length, lines: [] };
      continue;
    }
    const end = /^ *(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
    if (end !== undefined && end[0] === open.fence[0] && end.length >= open.fence.length) {
      blocks.push(open.lines.join("\n"));
      open = null;
    } else open.lines.push(withoutIndent(line, open.indent));
  }
  if (open?.lines.some((line) => line.trim() !== "")) blocks.push(open.lines.join("\n"));
  return blocks;
}

/** A block inside of a list is indented as a whole. */
function withoutIndent(line: string, indent: number): string {
  const own = /^ */.exec(line)![0].length;
  return line.slice(Math.min(own, indent));
}
