/** The text as the vim keys see it. */

export interface Position {
  line: number;
  column: number;
}

export interface VimBuffer {
  lines(): readonly string[];
  cursor(): Position;
  move(to: Position): void;
  /** Replaces the text from `from` up to `to` (not included) and puts the cursor at `cursor`. One step for undo. */
  replace(from: Position, to: Position, text: string, cursor: Position): void;
  undo(): void;
  redo(): void;
  /** Where the characters of a line begin as a person counts them; a marker of a paste or an image counts as one. */
  starts(line: string): readonly number[];
  /** Shows the next older (-1) or newer (1) earlier prompt. */
  history(direction: -1 | 1): void;
  /** Makes what was typed since `beginTyping` one step for undo. */
  beginTyping(): void;
  endTyping(): void;
}

export function before(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** The text between two positions, the end not included. */
export function textBetween(lines: readonly string[], from: Position, to: Position): string {
  if (from.line === to.line) return (lines[from.line] ?? "").slice(from.column, to.column);
  return [
    (lines[from.line] ?? "").slice(from.column),
    ...lines.slice(from.line + 1, to.line),
    (lines[to.line] ?? "").slice(0, to.column),
  ].join("\n");
}

/** The position behind the character at `at`; the end of the line when there is none. */
export function after(buffer: VimBuffer, at: Position): Position {
  const line = buffer.lines()[at.line] ?? "";
  const next = buffer.starts(line).find((start) => start > at.column);
  return { line: at.line, column: next ?? line.length };
}

/** The start of the character before `at` in its line, or `at` itself at the start of the line. */
export function previous(buffer: VimBuffer, at: Position): Position {
  const starts = buffer.starts(buffer.lines()[at.line] ?? "");
  return { line: at.line, column: starts.findLast((start) => start < at.column) ?? 0 };
}

/** A position that normal mode can stand on: on a character, if the line has one. */
export function onCharacter(buffer: VimBuffer, at: Position): Position {
  const lines = buffer.lines();
  const line = Math.max(0, Math.min(at.line, lines.length - 1));
  const starts = buffer.starts(lines[line] ?? "");
  return { line, column: starts.findLast((start) => start <= at.column) ?? 0 };
}
