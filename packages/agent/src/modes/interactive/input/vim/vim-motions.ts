/** Where vim's motions go. */
import { after, onCharacter, type Position, previous, type VimBuffer } from "./vim-buffer.ts";

export interface Motion {
  to: Position;
  /** An operator takes whole lines. */
  linewise?: true;
  /** An operator takes the character at the end too. */
  inclusive?: true;
}

export interface FindCharacter {
  kind: "f" | "F" | "t" | "T";
  character: string;
}

type Kind = "space" | "word" | "sign";

function kindAt(line: string, column: number, big: boolean): Kind {
  const character = String.fromCodePoint(line.codePointAt(column) ?? 32);
  if (/\s/u.test(character)) return "space";
  return big || /[\p{L}\p{N}\p{M}_]/u.test(character) ? "word" : "sign";
}

/** The motion of one key, or null when there is nowhere to go. `count` is null when none was typed. */
export function motionOf(key: string, count: number | null, buffer: VimBuffer): Motion | null {
  const at = buffer.cursor();
  const lines = buffer.lines();
  const line = lines[at.line] ?? "";
  const times = count ?? 1;
  switch (key) {
    case "h":
      return at.column === 0 ? null : { to: repeat(at, times, (from) => previous(buffer, from)) };
    case "l":
    case " ":
      return at.column >= line.length ? null : { to: repeat(at, times, (from) => after(buffer, from)) };
    case "j":
    case "k": {
      const target = at.line + (key === "j" ? times : -times);
      if (target < 0 || target >= lines.length) return null;
      return { to: { line: target, column: sameColumn(buffer, at, target) }, linewise: true };
    }
    case "0":
      return { to: { line: at.line, column: 0 } };
    case "^":
      return { to: { line: at.line, column: line.length - line.trimStart().length } };
    case "$": {
      const target = Math.min(lines.length - 1, at.line + times - 1);
      return { to: { line: target, column: (lines[target] ?? "").length } };
    }
    case "G":
      return { to: firstWord(lines, count === null ? lines.length - 1 : count - 1), linewise: true };
    case "gg":
      return { to: firstWord(lines, times - 1), linewise: true };
    case "w":
    case "W":
      return { to: repeat(at, times, (from) => nextWord(buffer, from, key === "W")) };
    case "b":
    case "B":
      return { to: repeat(at, times, (from) => wordStartBefore(buffer, from, key === "B")) };
    case "e":
    case "E":
      return { to: repeat(at, times, (from) => wordEnd(buffer, from, key === "E")), inclusive: true };
    default:
      return null;
  }
}

/** f, F, t and T within the line; null when the character is not there. */
export function findMotion(find: FindCharacter, times: number, buffer: VimBuffer): Motion | null {
  const at = buffer.cursor();
  const line = buffer.lines()[at.line] ?? "";
  const forward = find.kind === "f" || find.kind === "t";
  let column = at.column;
  for (let left = times; left > 0; left--) {
    column = forward
      ? line.indexOf(find.character, column + 1)
      : column === 0
        ? -1
        : line.lastIndexOf(find.character, column - 1);
    if (column === -1) return null;
  }
  const found = { line: at.line, column };
  switch (find.kind) {
    case "f":
      return { to: found, inclusive: true };
    case "t":
      return { to: previous(buffer, found), inclusive: true };
    case "F":
      return { to: found };
    case "T":
      return { to: after(buffer, found) };
  }
}

/** The word under the cursor; `around` takes the blanks behind it (or before it) too. Null on an empty line. */
export function wordObject(buffer: VimBuffer, around: boolean): { from: Position; to: Position } | null {
  const { line: row, column } = buffer.cursor();
  const line = buffer.lines()[row] ?? "";
  if (line === "") return null;
  const starts = [...buffer.starts(line), line.length];
  let first = Math.max(
    0,
    starts.findLastIndex((start) => start <= Math.min(column, line.length - 1)),
  );
  let last = first + 1;
  const kindOf = (index: number) => kindAt(line, starts[index]!, false);
  const kind = kindOf(first);
  while (first > 0 && kindOf(first - 1) === kind) first--;
  while (last < starts.length - 1 && kindOf(last) === kind) last++;
  if (around) {
    const end = last;
    while (last < starts.length - 1 && kindOf(last) === "space") last++;
    if (last === end) while (first > 0 && kindOf(first - 1) === "space") first--;
  }
  return { from: { line: row, column: starts[first]! }, to: { line: row, column: starts[last]! } };
}

function repeat(start: Position, times: number, step: (from: Position) => Position): Position {
  let at = start;
  for (let left = Math.min(times, 10_000); left > 0; left--) {
    const next = step(at);
    if (next.line === at.line && next.column === at.column) break;
    at = next;
  }
  return at;
}

function firstWord(lines: readonly string[], row: number): Position {
  const line = Math.max(0, Math.min(lines.length - 1, row));
  const text = lines[line] ?? "";
  return { line, column: text.length - text.trimStart().length };
}

/** The same count of characters into another line. */
function sameColumn(buffer: VimBuffer, at: Position, target: number): number {
  const lines = buffer.lines();
  const index = buffer.starts(lines[at.line] ?? "").filter((start) => start < at.column).length;
  const line = lines[target] ?? "";
  return buffer.starts(line)[index] ?? line.length;
}

function nextWord(buffer: VimBuffer, from: Position, big: boolean): Position {
  const lines = buffer.lines();
  let at = from;
  const text = lines[at.line] ?? "";
  const kind = at.column < text.length ? kindAt(text, at.column, big) : "space";
  while (at.column < text.length && kind !== "space" && kindAt(text, at.column, big) === kind)
    at = after(buffer, at);
  for (;;) {
    const line = lines[at.line] ?? "";
    while (at.column < line.length && kindAt(line, at.column, big) === "space") at = after(buffer, at);
    if (at.column < line.length || at.line === lines.length - 1) return at;
    at = { line: at.line + 1, column: 0 };
    if (lines[at.line] === "") return at;
  }
}

function wordStartBefore(buffer: VimBuffer, from: Position, big: boolean): Position {
  const lines = buffer.lines();
  let at = from;
  for (;;) {
    if (at.column === 0) {
      if (at.line === 0) return at;
      at = { line: at.line - 1, column: (lines[at.line - 1] ?? "").length };
      if (at.column === 0) return at;
    }
    const line = lines[at.line] ?? "";
    const back = previous(buffer, at);
    if (kindAt(line, back.column, big) === "space") {
      at = back;
      continue;
    }
    const kind = kindAt(line, back.column, big);
    at = back;
    while (at.column > 0 && kindAt(line, previous(buffer, at).column, big) === kind)
      at = previous(buffer, at);
    return at;
  }
}

function wordEnd(buffer: VimBuffer, from: Position, big: boolean): Position {
  const lines = buffer.lines();
  let at = after(buffer, from);
  for (;;) {
    const line = lines[at.line] ?? "";
    while (at.column < line.length && kindAt(line, at.column, big) === "space") at = after(buffer, at);
    if (at.column < line.length) break;
    if (at.line === lines.length - 1) return onCharacter(buffer, at);
    at = { line: at.line + 1, column: 0 };
  }
  const line = lines[at.line] ?? "";
  const kind = kindAt(line, at.column, big);
  for (;;) {
    const next = after(buffer, at);
    if (next.column >= line.length || kindAt(line, next.column, big) !== kind) return at;
    at = next;
  }
}
