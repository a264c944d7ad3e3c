/** A tool's text in parts: what may be shortened, and what must stay as it is. */
export interface ReportFrame {
  body: string;
  /** The tool's own closing lines: exit code, time limit, what still runs. Empty, or with the line end before it. */
  closing: string;
  /** The file that already holds all of the output. */
  spilled?: string;
}

const CLOSING =
  /^\[(?:exit code -?\d|ended by SIG|timed out after|interrupted by the user|still running in the background|timeout \d+ ms|sandbox: |bg\d+ )/;
const CUT = /^\[\.\.\. [\d,]+ bytes, [\d,]+ lines not shown(?:; all of it: (.+))? \.\.\.\]$/m;

/** Takes the text of `bash` and `bash-output` apart. `cut`: the tool said that it left something out. */
export function reportFrame(text: string, cut: boolean): ReportFrame {
  const lines = text.split("\n");
  let end = lines.length;
  while (end > 0 && CLOSING.test(lines[end - 1]!)) end--;
  const body = lines.slice(0, end).join("\n");
  const closing = lines
    .slice(end)
    .map((line) => `\n${line}`)
    .join("");
  const spilled = cut ? CUT.exec(body)?.[1]?.replace(/ \(its first \d+ bytes\)$/, "") : undefined;
  return { body, closing, ...(spilled === undefined ? {} : { spilled }) };
}

/** Whether a line is the note of a cut. */
export function isCutNote(line: string): boolean {
  return CUT.test(line);
}
