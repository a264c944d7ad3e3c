import { isUtf8 } from "node:buffer";
import type { FileState } from "../../../contract/checkpoint.ts";
import { diffSequence, type Step } from "../../../modes/interactive/transcript/diff/sequence-diff.ts";

const CONTEXT = 3;
/** Lines of one file's diff, and of all together. */
const MOST_FILE_LINES = 200;
const MOST_LINES = 1_000;

/** A file before and after; `bytes` null where there is no content (or none to show). */
export interface FileSide {
  state: FileState;
  bytes: Uint8Array | null;
}

/** A unified diff of files, bounded; what was left out is said. */
export function filesDiff(files: readonly { path: string; from: FileSide; to: FileSide }[]): string {
  const lines: string[] = [];
  let left = 0;
  for (const file of files) {
    if (lines.length >= MOST_LINES) left++;
    else lines.push(...fileDiff(file.path, file.from, file.to));
  }
  if (left > 0) lines.push(`… and ${left} more ${left === 1 ? "file" : "files"}`);
  return lines.join("\n");
}

function fileDiff(path: string, from: FileSide, to: FileSide): string[] {
  const head = [
    `--- ${from.state.kind === "missing" ? "/dev/null" : `a/${path}`}`,
    `+++ ${to.state.kind === "missing" ? "/dev/null" : `b/${path}`}`,
  ];
  const notes = modeNotes(from.state, to.state);
  const [before, after] = [textOf(from), textOf(to)];
  if (before === null || after === null)
    return [...head, ...notes, `${words(from.state)} → ${words(to.state)}`];
  const rows = hunks(before, after);
  const cut = rows.length > MOST_FILE_LINES;
  return [
    ...head,
    ...notes,
    ...rows.slice(0, MOST_FILE_LINES),
    ...(cut ? [`… ${rows.length - MOST_FILE_LINES} more lines of this file`] : []),
  ];
}

function modeNotes(from: FileState, to: FileState): string[] {
  if (from.kind !== "file" || to.kind !== "file" || from.mode === to.mode) return [];
  return [`mode ${from.mode.toString(8)} → ${to.mode.toString(8)}`];
}

/** The lines; null for what is no text. */
function textOf({ state, bytes }: FileSide): string[] | null {
  if (state.kind === "missing") return [];
  if (state.kind !== "file" || bytes === null || !isUtf8(bytes) || bytes.includes(0)) return null;
  const text = Buffer.from(bytes).toString("utf8");
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines[lines.length - 1] += "\n\\ No newline at end of file";
  return lines;
}

function words(state: FileState): string {
  switch (state.kind) {
    case "missing":
      return "nothing";
    case "link":
      return `a link to ${state.target}`;
    case "file":
      return `a file of ${state.size} bytes`;
    case "unkept":
      return state.why;
  }
}

function hunks(before: readonly string[], after: readonly string[]): string[] {
  const steps = diffSequence(before, after);
  const rows: string[] = [];
  for (let at = 0; at < steps.length; ) {
    if (steps[at]!.kind === "same") {
      at++;
      continue;
    }
    const start = Math.max(0, at - CONTEXT);
    let end = at;
    for (let next = at; next < steps.length && next - end <= 2 * CONTEXT; next++)
      if (steps[next]!.kind !== "same") end = next;
    const stop = Math.min(steps.length, end + CONTEXT + 1);
    rows.push(...hunk(steps, start, stop, before, after));
    at = stop;
  }
  return rows;
}

function hunk(
  steps: readonly Step[],
  start: number,
  stop: number,
  before: readonly string[],
  after: readonly string[],
): string[] {
  const part = steps.slice(start, stop);
  const old = part.filter(({ kind }) => kind !== "added").length;
  const now = part.filter(({ kind }) => kind !== "removed").length;
  const oldBefore = steps.slice(0, start).filter(({ kind }) => kind !== "added").length;
  const newBefore = steps.slice(0, start).filter(({ kind }) => kind !== "removed").length;
  const first = (count: number, passed: number) => (count === 0 ? passed : passed + 1);
  return [
    `@@ -${first(old, oldBefore)},${old} +${first(now, newBefore)},${now} @@`,
    ...part.flatMap((step) => {
      if (step.kind === "same") return ` ${before[step.before]!}`.split("\n");
      return (step.kind === "removed" ? `-${before[step.before]!}` : `+${after[step.after]!}`).split("\n");
    }),
  ];
}
