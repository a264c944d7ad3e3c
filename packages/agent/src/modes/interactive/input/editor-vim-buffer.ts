/** Pi-tui's editor as the vim keys see it. */
import { type EditorInternals, type EditorSnapshot, snapshotOf } from "./editor-internals.ts";
import type { Position, VimBuffer } from "./vim/vim-buffer.ts";

/** `changed` is called after each change of the text. */
export function editorVimBuffer(inner: EditorInternals, changed: () => void): VimBuffer {
  let undone: EditorSnapshot[] = [];
  /** The text after the last undo or redo: once it is another, there is nothing to redo. */
  let undoneText = "";
  let typingFrom: number | null = null;

  const text = () => inner.state.lines.join("\n");
  const move = ({ line, column }: Position) => {
    inner.lastAction = null;
    inner.state.cursorLine = line;
    inner.setCursorCol(column);
  };

  return {
    lines: () => inner.state.lines,
    cursor: () => ({ line: inner.state.cursorLine, column: inner.state.cursorCol }),
    move,
    replace(from, to, inserted, cursor) {
      inner.exitHistoryBrowsing();
      inner.pushUndoSnapshot();
      const { lines } = inner.state;
      const whole =
        (lines[from.line] ?? "").slice(0, from.column) + inserted + (lines[to.line] ?? "").slice(to.column);
      inner.state.lines = [...lines.slice(0, from.line), ...whole.split("\n"), ...lines.slice(to.line + 1)];
      move(cursor);
      changed();
    },
    undo() {
      if (inner.undoStack.stack.length === 0) return;
      if (text() !== undoneText) undone = [];
      undone.push(snapshotOf(inner));
      inner.undo();
      undoneText = text();
    },
    redo() {
      const next = text() === undoneText ? undone.pop() : undefined;
      if (next === undefined) return;
      inner.pushUndoSnapshot();
      Object.assign(inner.state, next.state);
      inner.pastes = next.pastes;
      inner.pasteCounter = next.pasteCounter;
      inner.lastAction = null;
      undoneText = text();
      changed();
    },
    starts: (line) => [...inner.segment(line, "grapheme")].map((piece) => piece.index),
    history: (direction) => inner.navigateHistory(direction),
    beginTyping() {
      typingFrom = inner.undoStack.stack.length;
      inner.lastAction = null;
    },
    endTyping() {
      const { stack } = inner.undoStack;
      if (typingFrom !== null && stack.length > typingFrom + 1) stack.length = typingFrom + 1;
      typingFrom = null;
      inner.lastAction = null;
    },
  };
}
