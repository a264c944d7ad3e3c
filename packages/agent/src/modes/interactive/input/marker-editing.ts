/** Makes pi-tui's editor treat each marker, of a paste or an image, as one character. */
import type { Attachments } from "./attachments.ts";
import type { EditorInternals } from "./editor-internals.ts";
import { expandMarkers, markerSpans, segmentAround } from "./marker-segments.ts";

/** Puts our way in the place of members that the editor calls on itself. `changed` is called after a change of the text. */
export function editMarkersAsUnits(
  inner: EditorInternals,
  attachments: Attachments,
  changed: () => void,
): void {
  const { handleBackspace, moveWordBackwards, moveWordForwards } = inner;
  const markers = (text: string) => markerSpans(text, inner.pastes, attachments);
  const line = () => inner.state.lines[inner.state.cursorLine] ?? "";
  const beforeCursor = () => line().slice(0, inner.state.cursorCol);

  inner.segment = (text, mode) => segmentAround(text, mode, markers(text));
  inner.expandPasteMarkers = (text) => expandMarkers(text, inner.pastes);

  // Pi-tui would number the other pastes anew, so that a marker that was cut before would mean another paste.
  inner.handleBackspace = () => {
    const { state } = inner;
    const span = markers(beforeCursor()).at(-1);
    if (span?.end !== state.cursorCol) {
      handleBackspace.call(inner);
      return;
    }
    inner.exitHistoryBrowsing();
    inner.lastAction = null;
    inner.pushUndoSnapshot();
    state.lines[state.cursorLine] = line().slice(0, span.start) + line().slice(span.end);
    inner.setCursorCol(span.start);
    changed();
  };
  inner.moveWordBackwards = () => {
    const before = beforeCursor();
    const span = markers(before).at(-1);
    if (span && before.slice(span.end).trim() === "") inner.setCursorCol(span.start);
    else moveWordBackwards.call(inner);
  };
  inner.moveWordForwards = () => {
    const at = inner.state.cursorCol;
    const after = line().slice(at);
    const span = markers(after)[0];
    if (span && after.slice(0, span.start).trim() === "") inner.setCursorCol(at + span.end);
    else moveWordForwards.call(inner);
  };
}
