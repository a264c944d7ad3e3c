/** How a text is indented, as formatters want to know. */
export interface Indentation {
  insertSpaces: boolean;
  tabSize: number;
}

const MOST_LINES = 2_000;
const DEFAULT: Indentation = { insertSpaces: true, tabSize: 4 };

/** The text's own way: tabs where most indented lines have them, else the most frequent step from one line to the next. */
export function indentationOf(text: string): Indentation {
  let tabs = 0;
  let spaces = 0;
  let before = 0;
  const steps = new Map<number, number>();
  for (const line of text.split("\n", MOST_LINES)) {
    if (line.trim() === "") continue;
    const [indent = ""] = /^[ \t]*/.exec(line)!;
    if (indent.startsWith("\t")) tabs++;
    else if (indent !== "") spaces++;
    // " *" of a comment is no indentation.
    const step = /^ *\*/.test(line) ? 0 : Math.abs(indent.length - before);
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = indent.length;
  }
  if (tabs === 0 && spaces === 0) return DEFAULT;
  if (tabs > spaces) return { insertSpaces: false, tabSize: 4 };
  const [best] = [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return { insertSpaces: true, tabSize: best?.[0] ?? DEFAULT.tabSize };
}
