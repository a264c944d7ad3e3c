import type { TuiAltScreen } from "@earendil-works/pi-tui";
import type { InteractiveHost } from "../../contract/interactive.ts";
import type { AppAction } from "./input/actions.ts";
import type { Keymap } from "./input/keymap.ts";
import type { PromptEditor } from "./input/prompt-editor.ts";
import {
  type KeyEffect,
  type KeyState,
  onControlC,
  onControlD,
  onEscape,
  QUIT_WINDOW_MS,
} from "./key-states.ts";
import type { TranscriptView } from "./transcript/transcript-view.ts";

export interface KeyActionParts {
  host: InteractiveHost;
  tui: TuiAltScreen;
  editor(): PromptEditor;
  transcript: TranscriptView;
  keymap(): Keymap;
  now(): number;
  /** Opens the search of the transcript. */
  search(): void;
  suspend(): void;
  /** Esc with nothing to close or to stop; for what is shown without having the keys. */
  escape(): void;
  /** Puts text back into the editor, above what is there. */
  putBack(text: string): void;
}

/** What the keys of the program do while the editor has the focus. */
export class KeyActions {
  readonly #parts: KeyActionParts;
  #armedAt: number | undefined;

  constructor(parts: KeyActionParts) {
    this.#parts = parts;
  }

  /** False: the key has no meaning now and goes to the editor. */
  act(action: AppAction): boolean {
    const { host, tui, transcript } = this.#parts;
    switch (action) {
      case "app.interrupt":
        return this.#escape();
      case "app.clear":
        return this.#apply(onControlC(this.#state(), this.#parts.now()));
      case "app.exit":
        return this.#apply(onControlD(this.#state()));
      case "app.suspend":
        this.#parts.suspend();
        break;
      case "app.tools.toggle":
        transcript.toggleTools();
        break;
      case "app.thinking.toggle":
        transcript.toggleThinking();
        break;
      case "app.transcript.search":
        this.#parts.search();
        break;
      case "app.model.choose":
        host.command("model", "");
        break;
      case "app.queue.edit":
        this.#parts.putBack(
          host
            .takeQueue()
            .map(({ text }) => text)
            .join("\n\n"),
        );
        break;
      default:
        return false;
    }
    tui.requestRender();
    return true;
  }

  #escape(): boolean {
    const effect = onEscape(this.#state());
    if (effect === "nothing") this.#parts.escape();
    return this.#apply(effect);
  }

  #state(): KeyState {
    const { host, tui } = this.#parts;
    const editor = this.#parts.editor();
    return {
      menu: editor.isMenuOpen,
      draft: !editor.isEmpty,
      busy: host.stoppable,
      selection: tui.hasActiveSelection(),
      ...(this.#armedAt === undefined ? {} : { armedAt: this.#armedAt }),
    };
  }

  #apply(effect: KeyEffect): boolean {
    const { host, tui } = this.#parts;
    const editor = this.#parts.editor();
    this.#armedAt = undefined;
    switch (effect) {
      case "editor":
        return false;
      case "clear":
        // Up brings it back: what was typed is never lost to a key.
        editor.addToHistory(editor.draft);
        editor.clear();
        break;
      case "interrupt":
        host.interrupt();
        break;
      case "copy":
        void tui.copyActiveSelectionToClipboard();
        tui.resetTextSelection();
        break;
      case "arm":
        this.#armedAt = this.#parts.now();
        tui.flash(`${this.#parts.keymap().label("app.clear")} again quits`, QUIT_WINDOW_MS);
        break;
      case "quit":
        host.quit();
        break;
      case "nothing":
        break;
    }
    tui.requestRender();
    return true;
  }
}
