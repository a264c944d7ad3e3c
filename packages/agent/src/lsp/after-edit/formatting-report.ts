/** Lines of the formatted file that are shown; more, and the model has to read it. */
const MOST_LINES = 60;
const MOST_CHARACTERS = 6_000;
/** Differences of larger texts are not looked for: all between the first and the last one counts as changed. */
const MOST_COMPARED = 4_000;

/** What formatting did to the lines, for a model that knows the text before it. */
export interface FormattingReport {
  text: string;
  /** Every changed line is shown. */
  complete: boolean;
}

/** Lines of the new text that replace `removed` lines of the old one. `from` counts from 0 in the new text. */
interface Stretch {
  from: number;
  lines: string[];
  removed: number;
}

/** Says which lines formatting changed, and shows them as they are now with their numbers, as `read` does. */
export async function reportFormatting(before: string, after: string): Promise<FormattingReport> {
  const stretches = await changedStretches(linesOf(before), linesOf(after));
  const pieces: string[] = [];
  let shown = 0;
  let characters = 0;
  for (const { from, lines, removed } of stretches) {
    shown += Math.max(1, lines.length);
    characters += lines.join("\n").length;
    if (shown > MOST_LINES || characters > MOST_CHARACTERS) return cut(stretches);
    if (lines.length === 0)
      pieces.push(`(before line ${from + 1}: ${removed === 1 ? "1 line" : `${removed} lines`} removed)`);
    else pieces.push(...lines.map((line, index) => `${from + index + 1}\t${line}`));
  }
  return { text: pieces.join("\n"), complete: true };
}

function cut(stretches: readonly Stretch[]): FormattingReport {
  const first = stretches[0]!;
  const last = stretches.at(-1)!;
  const to = last.from + Math.max(1, last.lines.length);
  return {
    text: `(lines ${first.from + 1} to ${to}, too many to show: read them before you change them)`,
    complete: false,
  };
}

async function changedStretches(before: readonly string[], after: readonly string[]): Promise<Stretch[]> {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  if (old.length + now.length > MOST_COMPARED) return [{ from: start, lines: now, removed: old.length }];
  const { diffArrays } = await import("diff");
  const stretches: Stretch[] = [];
  let at = start;
  let open: Stretch | undefined;
  for (const { value, added, removed } of diffArrays(old, now)) {
    if (!added && !removed) {
      open = undefined;
      at += value.length;
      continue;
    }
    if (open === undefined) {
      open = { from: at, lines: [], removed: 0 };
      stretches.push(open);
    }
    if (removed) open.removed += value.length;
    else {
      open.lines.push(...value);
      at += value.length;
    }
  }
  return stretches;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
