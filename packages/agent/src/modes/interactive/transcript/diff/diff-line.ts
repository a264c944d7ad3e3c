import { diffSequence } from "./sequence-diff.ts";

/** A line of a diff as it is shown. Line numbers count from 1. */
export interface DiffLine {
  kind: "context" | "added" | "removed" | "note";
  text: string;
  oldLine?: number | undefined;
  newLine?: number | undefined;
  /** The parts of the text that differ from the line it replaces: pairs of start and end. */
  emphasis?: readonly (readonly [number, number])[];
}

const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Longer lines are marked as a whole. */
const MAX_WORD_LINE = 2_000;

/** The lines from `before` to `after`, numbered from `oldLine` and `newLine`; changed lines that face each other have emphasis. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  oldLine: number | undefined,
  newLine: number | undefined,
): DiffLine[] {
  const at = (first: number | undefined, index: number) => (first === undefined ? undefined : first + index);
  const lines: DiffLine[] = [];
  for (const step of diffSequence(before, after)) {
    if (step.kind === "removed")
      lines.push({ kind: "removed", text: before[step.before]!, oldLine: at(oldLine, step.before) });
    else if (step.kind === "added")
      lines.push({ kind: "added", text: after[step.after]!, newLine: at(newLine, step.after) });
    else
      lines.push({
        kind: "context",
        text: after[step.after]!,
        oldLine: at(oldLine, step.before),
        newLine: at(newLine, step.after),
      });
  }
  return emphasise(lines);
}

/** Marks what differs within lines: in each run of removals followed by as many additions, pair by pair. */
export function emphasise(lines: readonly DiffLine[]): DiffLine[] {
  const out = [...lines];
  for (let at = 0; at < out.length; ) {
    const removed = runOf(out, at, "removed");
    const added = runOf(out, at + removed, "added");
    if (removed > 0 && removed === added)
      for (let pair = 0; pair < removed; pair++) {
        const marks = wordMarks(out[at + pair]!.text, out[at + removed + pair]!.text);
        if (!marks) continue;
        out[at + pair] = { ...out[at + pair]!, emphasis: marks.before };
        out[at + removed + pair] = { ...out[at + removed + pair]!, emphasis: marks.after };
      }
    at += Math.max(1, removed + added);
  }
  return out;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let count = 0;
  while (lines[from + count]?.kind === kind) count++;
  return count;
}

/** Undefined where the lines have too little in common for a word to stand out. */
function wordMarks(before: string, after: string) {
  if (before.length > MAX_WORD_LINE || after.length > MAX_WORD_LINE) return undefined;
  const words = before.match(WORD) ?? [];
  const others = after.match(WORD) ?? [];
  const marks = { before: [] as [number, number][], after: [] as [number, number][] };
  const position = { before: 0, after: 0 };
  let same = 0;
  for (const step of diffSequence(words, others)) {
    if (step.kind === "same") {
      const { length } = words[step.before]!;
      if (words[step.before]!.trim() !== "") same += length;
      position.before += length;
      position.after += length;
    } else {
      const side = step.kind === "removed" ? "before" : "after";
      const { length } = step.kind === "removed" ? words[step.before]! : others[step.after]!;
      const last = marks[side].at(-1);
      if (last?.[1] === position[side]) last[1] += length;
      else marks[side].push([position[side], position[side] + length]);
      position[side] += length;
    }
  }
  return same * 4 >= Math.max(before.trim().length, after.trim().length) ? marks : undefined;
}

/** How many lines were added and removed. */
export function countChanges(lines: readonly DiffLine[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const line of lines) {
    if (line.kind === "added") added++;
    else if (line.kind === "removed") removed++;
  }
  return { added, removed };
}
