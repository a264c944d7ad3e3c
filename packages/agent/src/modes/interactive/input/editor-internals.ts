/**
 * The one door to members of pi-tui's editor that its types keep private. There is no public way to place the cursor, to make one unit of
 * an image marker, or to keep tabs; copying 2,000 lines would be worse. pi-tui is pinned to an exact version, and what we use is checked
 * when an editor is made, so that an update fails at once and by name.
 */
import type { Editor } from "@earendil-works/pi-tui";

export interface EditorSnapshot {
  state: { lines: string[]; cursorLine: number; cursorCol: number };
  pastes: Map<number, string>;
  pasteCounter: number;
}

export interface OpenMenu {
  maxVisible: number;
  getSelectedItem(): { value: string; label: string } | null;
}

export interface EditorInternals extends EditorSnapshot {
  isInPaste: boolean;
  jumpMode: string | null;
  history: string[];
  historyIndex: number;
  lastAction: string | null;
  autocompleteMaxVisible: number;
  autocompleteList: OpenMenu | undefined;
  autocompletePrefix: string;
  autocompleteState: "regular" | "force" | null;
  undoStack: { stack: EditorSnapshot[] };
  killRing: {
    push(text: string, options: { prepend: boolean; accumulate: boolean }): void;
    peek(): string | undefined;
  };
  preferredVisualCol: number | null;

  setCursorCol(column: number): void;
  pushUndoSnapshot(): unknown;
  undo(): void;
  cancelAutocomplete(): void;
  requestAutocomplete(options: { force: boolean; explicitTab: boolean }): void;
  exitHistoryBrowsing(): void;
  navigateHistory(direction: -1 | 1): void;
  insertTextAtCursorInternal(text: string): void;
  expandPasteMarkers(text: string): string;
  submitValue(): void;

  segment(text: string, mode: "grapheme" | "word"): Iterable<Intl.SegmentData>;
  normalizeText(text: string): string;
  handlePaste(text: string): void;
  handleBackspace(): void;
  moveWordBackwards(): void;
  moveWordForwards(): void;
}

const METHODS = [
  "setCursorCol",
  "pushUndoSnapshot",
  "undo",
  "cancelAutocomplete",
  "requestAutocomplete",
  "exitHistoryBrowsing",
  "navigateHistory",
  "insertTextAtCursorInternal",
  "expandPasteMarkers",
  "submitValue",
  "segment",
  "normalizeText",
  "handlePaste",
  "handleBackspace",
  "moveWordBackwards",
  "moveWordForwards",
] as const satisfies readonly (keyof EditorInternals)[];

const FIELDS = [
  "state",
  "pastes",
  "pasteCounter",
  "isInPaste",
  "jumpMode",
  "history",
  "historyIndex",
  "lastAction",
  "autocompleteMaxVisible",
  "autocompletePrefix",
  "autocompleteState",
  "undoStack",
  "killRing",
  "preferredVisualCol",
] as const satisfies readonly (keyof EditorInternals)[];

/** The editor with its inner members. Throws an Error that names the first one this version of pi-tui does not have. */
export function internalsOf(editor: Editor): EditorInternals {
  const inner = editor as unknown as Record<string, unknown>;
  const missing =
    METHODS.find((name) => typeof inner[name] !== "function") ??
    FIELDS.find((name) => inner[name] === undefined);
  if (missing !== undefined) throw new Error(`This version of pi-tui has no Editor.${missing}`);
  return editor as unknown as EditorInternals;
}

/**
 * What undo needs of now. Texts are shared, not copied as pi-tui does: a paste of megabytes would be copied with every word typed.
 */
export function snapshotOf({ state, pastes, pasteCounter }: EditorInternals): EditorSnapshot {
  return { state: { ...state, lines: [...state.lines] }, pastes: new Map(pastes), pasteCounter };
}
